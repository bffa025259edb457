package command

import (
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
)

// importFormat is the standard output of a tool as it was kept.
const importFormat = "text"

func providerSchema() *schema.Provider {
	return &schema.Provider{
		Name:     "command",
		Version:  "1",
		Doc:      "Runs commands that the spec gives, for what has no provider of its own.",
		Setups:   []schema.Type{setupType(), manualSetup()},
		Datasets: []schema.Type{datasetType()},
		Tests:    []schema.Type{testType()},
		Monitors: []schema.Type{monitorType()},
	}
}

const patternNote = "A pattern is a regular expression of Go; in it ^ and $ are the ends of a line."

// runAttributes say how a command is run.
func runAttributes() []schema.Attribute {
	return []schema.Attribute{
		{Name: "argv", Kind: schema.StringList, Required: true, Doc: "The program and its arguments, each an element: no shell reads them. A bare name is looked up on the host's PATH."},
		{Name: "stdin", Kind: schema.String, Doc: "What it reads on standard input; absent: nothing."},
		{Name: "env", Kind: schema.Map, Doc: "Its environment, beside PATH, HOME and LC_ALL=C. The place for secrets."},
		{Name: "files", Kind: schema.Map, Doc: "Files by name, with what is in them. They are written with mode 0600 into an empty directory of their own, in which the command runs, and " +
			"are removed afterwards. The place for secrets that a tool takes neither from its environment nor from standard input."},
		{Name: "dir", Kind: schema.String, Doc: "Working directory, absolute; absent: /, or that of files."},
	}
}

// commandAttributes are those of a command that must succeed.
func commandAttributes() []schema.Attribute {
	return append(runAttributes(),
		schema.Attribute{Name: "status", Kind: schema.Integer, Default: "0", Min: "0", Max: "255", Doc: "The exit status of success."},
		schema.Attribute{Name: "expect", Kind: schema.StringList, Doc: "Patterns that must all be found, each in standard output or standard error: a tool may exit with 0 after it failed. " + patternNote},
		schema.Attribute{Name: "fail_if", Kind: schema.StringList, Doc: "Patterns that mean failure where one is found in standard output or standard error."},
	)
}

func commandBlock(name, doc string, more ...schema.Attribute) schema.Nested {
	return schema.Nested{Name: name, Doc: doc, Body: schema.Block{Attributes: append(commandAttributes(), more...)}}
}

// inspectBlock asks how a thing stands. It is required.
func inspectBlock() schema.Nested {
	return schema.Nested{
		Name: "inspect", MaxItems: 1,
		Doc: "The command that tells whether it stands, and changes nothing. Required. It is run before and after the others, and once when the plan is made. " +
			"Its exit status must be 0, or for an absent thing absent_status; an answer that says neither is an error.",
		Body: schema.Block{Attributes: append(runAttributes(),
			schema.Attribute{Name: "standing", Kind: schema.String, Required: true, Doc: "Pattern by which its output says that the thing stands, whole and in this state."},
			schema.Attribute{Name: "partial", Kind: schema.String, Doc: "Pattern by which its output says that something of the thing is there, where standing is not found."},
			schema.Attribute{Name: "absent", Kind: schema.String, Doc: "Pattern by which its output says that the thing is not there, whatever the exit status. Absent, the thing is not there where neither of the others is found."},
			schema.Attribute{Name: "absent_status", Kind: schema.Integer, Default: "0", Min: "0", Max: "255", Doc: "The exit status, beside 0, with which it may end where the thing is not there."},
			schema.Attribute{Name: "settle", Kind: schema.Quantity, Dim: unit.Seconds, Default: "5s", Min: "0s", Max: "1d",
				Doc: "How long the thing may need to come or to go after the last command: it is asked again until then."},
		)},
	}
}

func claimAttributes(held string) []schema.Attribute {
	return []schema.Attribute{
		{Name: "claims", Kind: schema.StringList, Doc: "Names of what nothing else may use " + held + ", such as \"host:db1:network\"."},
		{Name: "shares", Kind: schema.StringList, Doc: "Names of what others may use too, if they share it as well."},
		{Name: "estimate", Kind: schema.Quantity, Dim: unit.Seconds, Default: "0s", Min: "0s", Max: "1000d", Doc: "How long it takes, as the plan counts."},
	}
}

func setupAttributes() []schema.Attribute {
	return append([]schema.Attribute{
		{Name: "outputs", Kind: schema.Map, Doc: "What it will be, by name, for others to refer to: it must be made so."},
		{Name: "slot", Kind: schema.String, Doc: "Things with one slot are states of one thing: only one of them stands at a time, and with equal needs " +
			"the next takes the place of the last by a switch. Goes with state."},
		{Name: "state", Kind: schema.String, Doc: "The state of the slot that this is, such as \"on\"."},
	}, claimAttributes("while it stands")...)
}

func setupType() schema.Type {
	return schema.Type{
		Name: "command",
		Doc: "Something that commands make and take away, on each of its hosts. It is made by the create commands in their order, unless inspect says that it stands; " +
			"then inspect must say so. It is taken away by the destroy commands, after which inspect must say that it is absent.",
		Body: schema.Block{
			Attributes: setupAttributes(),
			Blocks: []schema.Nested{
				commandBlock("create", "A command that makes it, in the order of the text. At least one is needed."),
				inspectBlock(),
				commandBlock("switch", "A command that brings the slot into this state from another one. Without any, those of create do.",
					schema.Attribute{Name: "leaves", Kind: schema.String, Doc: "The state from which it comes; absent: from any for which no other switch block is."}),
				commandBlock("destroy", "A command that takes it away, in the order of the text. They are run one after the other even where one fails, since what inspect says of the end decides."),
			},
		},
		Outputs: []schema.Output{{Name: "outputs", Type: schema.Map, Doc: "As given: setup.command.NAME.outputs.KEY."}},
	}
}

func datasetType() schema.Type {
	return schema.Type{
		Name: "command",
		Doc: "Data that commands load. Figures of the load are looked for in the output of the load commands, one after the other. " +
			"Data that stand are removed before they are loaded again.",
		Body: schema.Block{
			Attributes: append([]schema.Attribute{
				{Name: "outputs", Kind: schema.Map, Doc: "What the data will be, by name, for others to refer to: the load commands must make it so."},
			}, claimAttributes("while they stand")...),
			Blocks: []schema.Nested{
				commandBlock("load", "A command that loads, in the order of the text. At least one is needed."),
				inspectBlock(),
				commandBlock("remove", "A command that removes the data, in the order of the text. They are run one after the other even where one fails, since what inspect says of the end decides."),
				measureBlock(),
			},
		},
		Outputs:          []schema.Output{{Name: "outputs", Type: schema.Map, Doc: "As given: dataset.command.NAME.outputs.KEY."}},
		DeclaresMeasures: true,
	}
}

func testType() schema.Type {
	return schema.Type{
		Name: "command",
		Doc: "A command that measures. A repetition counts where it ends with its status, prints what it must and nothing that it must not, and every measure is found. " +
			"While it runs it has its host's CPU and I/O for itself.",
		Body: schema.Block{
			Attributes: append(commandAttributes(), claimAttributes("while it runs")...),
			Blocks: []schema.Nested{
				commandBlock("before", "A command that is run right before each repetition, in the order of the text, and is not measured: to drop caches, say."),
				measureBlock(),
			},
		},
		DeclaresMeasures: true,
		Imports:          []string{importFormat},
	}
}

func measureBlock() schema.Nested {
	return schema.MeasureBlock("A figure that the command yields: just one of json, column, pattern, hdr and elapsed says where it is.", append(placeAttributes(),
		schema.Attribute{Name: "elapsed", Kind: schema.Bool, Default: "false", Doc: "The figure is how long the command ran."},
		schema.Attribute{Name: "source", Kind: schema.String, Enum: []string{"stdout", "stderr"}, Default: "stdout", Doc: "Where the tool prints it."},
		schema.Attribute{Name: "statistic", Kind: schema.String, Enum: statistics, Default: statistics[0],
			Doc: "What becomes of several figures that are found, of each key; with only, the sample fails."},
	)...)
}

// placeAttributes say where in the output a figure is.
func placeAttributes() []schema.Attribute {
	return []schema.Attribute{
		{Name: "json", Kind: schema.String, Doc: "Path of the figure in JSON that the output holds: \"end.streams[*].bytes\", with [0] for an element of a list, [*] for all, .* for all members, " +
			"[\"a.b\"] for a name that is no word. With keys, each * is one, in their order."},
		{Name: "column", Kind: schema.String, Doc: "Column of a table that the output holds as CSV, by its name in the first line that has it. Keys are columns too."},
		{Name: "separator", Kind: schema.String, Default: ",", Doc: "What stands between the columns: one character, \"\\t\" for a tab; \" \" is any number of blanks."},
		{Name: "pattern", Kind: schema.String, Doc: "Pattern with one group, which is the figure. With keys, it has a group named after each and one named value: (?P<query>\\w+): (?P<value>\\S+)."},
	}
}
