package reference

var specBlock = Block{
	Name: "spec",
	Doc:  "Says what the spec is about, and sets defaults for judging. There is one such block at most.",
	Attributes: []Attribute{
		{Name: "title", Type: "string", Doc: "The heading of the report."},
		{Name: "description", Type: "string", Doc: "What question the spec answers; printed below the title."},
		{Name: "alpha", Type: "share", Default: "0.05", Doc: "Significance of a comparison: a p-value above it is \"no difference shown\"."},
		{Name: "confidence", Type: "share", Default: "95%", Doc: "Of intervals, and of required KPIs on comparisons."},
		{Name: "strict", Type: "bool", Default: "false", Doc: "A KPI on a comparison whose arms differ in more than the axis (kernel, tool, firmware, data of another load) is inconclusive. Without it that is a warning only."},
		{Name: "order", Type: "string", Default: "grouped", Doc: "How the walk goes. grouped: setups change as seldom as possible. interleaved: one pass over all tests for each repetition, in alternating direction. random: as interleaved, shuffled in each pass."},
		{Name: "seed", Type: "whole number", Default: "1", Doc: "Of a random order; only with order = \"random\"."},
		{Name: "rounds", Type: "whole number", Default: "1", Doc: "How often the whole walk is gone, each time with setups made anew. Repetitions on one build are not repetitions of builds."},
	},
	Blocks: []Block{{
		Name: "require",
		Doc:  "Is read before anything else, so that a version that is too old says what it needs.",
		Attributes: []Attribute{
			{Name: "assay", Type: "string", Doc: "Versions of assay that the spec is for, such as \">= 0.1\" or \">= 0.1, < 2\". Written out: it names nothing."},
		},
	}},
	Example: "spec",
}

var variableBlock = Block{
	Name: "variable", Labels: []string{"NAME"},
	Doc: "Takes a value from outside: `--var NAME=VALUE`, `--var-file FILE`, `ASSAY_VAR_NAME` in the environment, or the file `assay.auto.assayvars` beside the spec. Its value is `var.NAME`. The arguments are written out: they name nothing.",
	Attributes: []Attribute{
		{Name: "type", Type: "type", Default: "any", Doc: "string, number, bool, list(…), set(…), map(…), object({…}), tuple([…]), any, with optional(…) inside of objects."},
		{Name: "default", Type: "value", Doc: "Without it the variable must be given."},
		{Name: "description", Type: "string", Doc: "For who has to give it."},
		{Name: "sensitive", Type: "bool", Default: "false", Doc: "Its value stands in no plan, record, log or report."},
	},
	Blocks: []Block{{
		Name: "validation",
		Doc:  "A condition on the value. There may be several.",
		Attributes: []Attribute{
			{Name: "condition", Type: "bool", Required: true, Doc: "May name variables only."},
			{Name: "message", Type: "string", Required: true, Doc: "What is said where the condition is false."},
		},
	}},
	Example: "variable",
}

var localsBlock = Block{
	Name:    "locals",
	Doc:     "Gives names to expressions. There may be several such blocks, and order does not matter.",
	Free:    "Each argument is a local: its value is `local.NAME`. It may name anything but results, and has the axes of what it names.",
	Example: "locals",
}

var providerBlock = Block{
	Name: "provider", Labels: []string{"NAME"},
	Doc: "Configures a provider, for the whole spec: there is one such block at most for each. It may name variables, locals and hardware, but nothing that varies with an axis, and no setup. Without the block the defaults hold. Below, each provider says what its block takes.",
	Attributes: []Attribute{
		{Name: "source", Type: "string", Doc: "Of a provider that is a program of its own: the program, as a path from the spec's folder. Written out: it names nothing. Its checksum stands in `.assay.lock.hcl` beside the spec, where `assay providers lock` writes it; a program that is not locked, or has changed, is not started."},
	},
	Free:    "The other arguments are those of the provider.",
	Example: "provider",
}

var hardwareBlock = Block{
	Name: "hardware", Labels: []string{"NAME"},
	Doc: "Says what stands on the bench: one machine, or several alike. It is checked before the first step, and never changed. Where there is one such block, everything runs on it.",
	Attributes: []Attribute{
		{Name: "hosts", Type: "list of string", Doc: "Addresses, as `ssh://USER@HOST:PORT`. Keys, agent, known hosts and settings are those of the user's own ssh. Without it, this machine."},
		{Name: "become", Type: "`sudo`", Doc: "Commands run and files are touched as root, through `sudo -n`, where the user of the hosts is not root. The user needs `NOPASSWD`."},
		{Name: "reconnect", Type: "duration", Default: "10min", Doc: "How long what runs on a host goes on while the link to it is lost, and how long assay tries to get back to it. Then the host itself ends it."},
		{Name: "memory", Type: "size", Doc: "Main memory of each host."},
	},
	Blocks: []Block{{
		Name: "disks", Labels: []string{"NAME"},
		Doc: "A group of disks that are alike. It is `hardware.NAME.disks.NAME`, an object with the arguments, `name`, and `ids`: by which a single disk is named, its serial number, else its WWN, else its slot, else NAME-1, NAME-2 and so on. An argument that takes disks is given the group, ids (`hardware.NAME.disks.NAME.ids[0]`), or a list of both. An argument that is null is as if it were not there.",
		Attributes: []Attribute{
			{Name: "model", Type: "string", Doc: "As the disk calls itself, or a part of it. It is checked where disks have serials or wwns."},
			{Name: "capacity", Type: "size", Doc: "Of each disk, within 2 %. Likewise."},
			{Name: "serials", Type: "list of string", Doc: "Serial numbers: the identity of each disk. Each must be found once on the hosts."},
			{Name: "wwns", Type: "list of string", Doc: "World Wide Names, as another identity. Likewise."},
			{Name: "slots", Type: "list of string", Doc: "Slots of a controller, as another identity. Only the controller's own tool knows which disk is in which slot."},
			{Name: "count", Type: "whole number", Doc: "How many disks there are on each host. Where they have an identity, it must be the number of those."},
			{Name: "sandbox", Type: "string or bool", Doc: "For a trial: as many sparse files of the capacity stand in for the disks, on loop devices. They are made when a setup needs them, in a folder of its own below this directory, which must exist, and are gone with the setup. true stands for /var/tmp. The identities are not looked at then."},
		},
	}},
	Example: "hardware",
}

var matrixBlock = Block{
	Name: "matrix",
	Doc:  "Holds what is varied. There may be several such blocks; they add up.",
	Blocks: []Block{
		{
			Name: "axis", Labels: []string{"NAME"},
			Doc: "One thing that is varied: its cases are given by `values`, or by `case` blocks. `matrix.NAME` is the case at hand: the value itself, or an object. Each block that names it, directly or through others, exists once for each case.",
			Attributes: []Attribute{
				{Name: "values", Type: "list of string, number or bool", Doc: "The cases. They may come from variables, locals and hardware."},
				{Name: "baseline", Type: "case", Doc: "What comparisons across this axis compare with."},
			},
			Blocks: []Block{{
				Name: "case", Labels: []string{"NAME"},
				Doc: "One case with attributes of its own. All cases of an axis have the same attributes. `matrix.AXIS` is an object of them, with `name` and `label`.",
				Attributes: []Attribute{
					{Name: "label", Type: "string", Default: "the name", Doc: "How tables and plots call the case."},
				},
				Free:    "Any other argument is an attribute of the case: `matrix.AXIS.ATTRIBUTE`.",
				Example: "case",
			}},
			Example: "axis",
		},
		{
			Name: "exclude",
			Doc:  "Takes combinations out: instances of every block that has all axes that `when` names.",
			Attributes: []Attribute{
				{Name: "when", Type: "bool", Required: true, Doc: "Names axes by their bare names; a case block is its name there."},
				{Name: "reason", Type: "string", Required: true, Doc: "Why they are not measured; printed in the report."},
			},
			Example: "exclude",
		},
	},
	Example: "matrix",
}
