package reference

// The arguments that blocks with a type have beside those of the type.
var (
	onArgument        = Attribute{Name: "on", Type: "reference", Default: "the only hardware, else this machine", Doc: "Where it runs: hardware.NAME."}
	whenArgument      = Attribute{Name: "when", Type: "bool", Default: "true", Doc: "Where it is false there is no instance; a reference to it is null."}
	dependsOnArgument = Attribute{Name: "depends_on", Type: "list of references", Doc: "Setups and datasets that must stand, though no argument names them: [setup.TYPE.NAME]."}
	timeoutArgument   = Attribute{Name: "timeout", Type: "duration", Doc: "After this time an attempt is ended, with all processes that it started."}
	retryBlock        = Block{
		Name: "retry",
		Doc:  "Tries again what failed or did not finish.",
		Attributes: []Attribute{
			{Name: "attempts", Type: "whole number", Required: true, Doc: "How many attempts there are, the first included."},
			{Name: "backoff", Type: "duration", Default: "0s", Doc: "How long to wait between attempts."},
		},
		Example: "retry",
	}
	freshArgument = Attribute{Name: "fresh", Type: "bool", Default: "false", Doc: "It is made anew, with what stands on it, before every repetition of a test that stands on it. Of some things their provider says so itself."}
	steadyBlock   = Block{
		Name: "steady_state",
		Doc:  "A repetition is rounds of the test until the last ones are steady: within range of their average, and without a trend beyond slope. Its figures are those of these rounds: the mean over them, percentiles from their histograms together where the tool gives them. Where max_rounds pass without that the repetition is invalid (not_steady), with its numbers. The defaults are those of SNIA's Solid State Storage Performance Test Specification. timeout is for all rounds of a repetition.",
		Attributes: []Attribute{
			{Name: "measure", Type: "string", Required: true, Doc: "The name of the test's measure that must become steady: \"iops\"."},
			{Name: "window", Type: "whole number", Default: "5", Doc: "How many rounds must be steady, at least 2."},
			{Name: "range", Type: "share", Default: "20%", Doc: "How far the largest and the smallest of them may lie apart, as a share of their average."},
			{Name: "slope", Type: "share", Default: "10%", Doc: "How much the line that fits them best (least squares) may rise or fall from the first to the last of them, as a share of their average."},
			{Name: "max_rounds", Type: "whole number", Default: "25", Doc: "How many rounds there are at most; at least window."},
		},
		Example: "steady",
	}
	skipBlock = Block{
		Name: "skip",
		Doc:  "Leaves instances in plan, tables and report, as skipped, and does not run or load them. What needs a skipped dataset is skipped too, and says so.",
		Attributes: []Attribute{
			{Name: "when", Type: "bool", Default: "true", Doc: "Where it is true the instance is skipped."},
			{Name: "reason", Type: "string", Required: true, Doc: "Why; printed in the report."},
		},
		Example: "skip",
	}
	importBlock = Block{
		Name: "import",
		Doc:  "Takes the results from files that exist already. In a format that the type reads, each file is one repetition, and goes through the parser that reads the tool's output after a run. In csv and json, one file serves all instances: its columns are named after axes, keys and measures, a cell is a quantity (`4ms`), and the rows of an instance are its repetitions, unless a column `repetition` numbers them; `outcome` may say `did_not_finish`, and `reason` why. json is a list of objects. What only an imported block needs is not planned. Data of which the load is imported do not stand, so what runs on them must be imported too.",
		Attributes: []Attribute{
			{Name: "path", Type: "string", Required: true, Doc: "Files, relative to the spec's folder; may name axes, and have wildcards: \"results/${matrix.rw}-*.json\"."},
			{Name: "format", Type: "string", Default: "the first that the type reads", Doc: "Of the files: one that the type reads, csv or json. Where the type reads json itself, json means that."},
			{Name: "when", Type: "bool", Default: "true", Doc: "Where it is false the test runs, or the data are loaded."},
		},
		Example: "import",
	}
)

var forEachArgument = Attribute{Name: "for_each", Type: "list or set of strings, or map", Doc: "One instance for each key, for what is several and is no comparison: ten file systems on ten disks. The arguments name `each.key` and `each.value`. A reference gives a map: setup.TYPE.NAME[\"KEY\"].OUTPUT. A figure of a dataset is named with its key: dataset.TYPE.NAME[\"KEY\"].MEASURE."}

var setupBlock = Block{
	Name: "setup", Labels: []string{"TYPE", "NAME"},
	Doc: "A configuration that is made, used and taken away: an array, a file system, a server, a policy. Its outputs are `setup.TYPE.NAME.OUTPUT`; they are known when the plan is made. A setup that no test and no dataset needs is not made, and setups that come out equal are one.",
	Attributes: []Attribute{
		onArgument, whenArgument, dependsOnArgument, timeoutArgument,
		forEachArgument,
		{Name: "keep", Type: "bool", Default: "false", Doc: "It is left standing at the end, and used again by a later run where nothing about it has changed; what it stands on must be kept too."},
		{Name: "erase", Type: "bool", Default: "false", Doc: "Consent that what is on its disks may be lost."},
		freshArgument,
	},
	Free:    "The other arguments are those of the type.",
	Blocks:  []Block{retryBlock},
	Example: "setup",
}

var datasetBlock = Block{
	Name: "dataset", Labels: []string{"TYPE", "NAME"},
	Doc: "Data that are generated or loaded. Its outputs are `dataset.TYPE.NAME.OUTPUT`, as those of a setup. Its load is measured: `dataset.TYPE.NAME.MEASURE` is named in compare, kpi, plot and measure blocks as a test's measure is, with one figure for each load. A dataset goes when something that it stands on goes, and is loaded again where it is needed again: that is a new generation, and the plan says so. One that no test needs and whose measures nothing names is not loaded. Data stay at the end where all that they stand on stays: on a kept setup, or on none. A later run takes them as they stand, without a load, where their configuration, what is under them and the provider's generator are the same and the provider finds them whole; the figures are then those of the run in which they were loaded, and every place that shows them says so. Where they are not whole any more they are loaded anew, and the plan says why. Data of an earlier run that this spec does not need are left alone; where they are in the way, they are lost only by consent: `--allow-erase ID`.",
	Attributes: []Attribute{
		onArgument, whenArgument, dependsOnArgument, timeoutArgument, forEachArgument,
		{Name: "keep", Type: "bool", Default: "true where all that it stands on is kept", Doc: "It is left standing at the end, and used again by a later run where nothing about it has changed. true needs that what it stands on is kept too. false: it is removed at the end, and loaded anew in every run."},
		{Name: "erase", Type: "bool", Default: "false", Doc: "Consent that what is on its disks may be lost."},
		freshArgument,
	},
	Free:    "The other arguments are those of the type.",
	Blocks:  []Block{retryBlock, skipBlock, importBlock},
	Example: "dataset",
}

var testBlock = Block{
	Name: "test", Labels: []string{"TYPE", "NAME"},
	Doc: "A workload that yields measures, `test.TYPE.NAME.MEASURE`. These exist only after the run, so they can be named in compare, kpi, plot and measure blocks, and nowhere else. A test's outputs, `test.TYPE.NAME.OUTPUT`, are known when the plan is made, as those of a setup are; only another test can name them. It is run after that one in each repetition (a restore after its backup), has at most as many repetitions, and is blocked where that one is not ok. All that either needs stands for both.",
	Attributes: []Attribute{
		onArgument, whenArgument, dependsOnArgument, timeoutArgument,
		{Name: "repeat", Type: "whole number", Default: "1", Doc: "Repetitions. Four a side are needed to show a difference, six for an interval."},
		{Name: "reset", Type: "one of none, test, repetition", Default: "none", Doc: "Of a type that changes its data: when the datasets under the test are loaded anew. repetition: before each. test: before the repetitions of each test, unless nothing has changed the data since they were loaded; where repetitions are interleaved that is before each pass. none: never, so that each finds what the one before left. A type may have an argument of this name of its own, which then is meant."},
		{Name: "warmup", Type: "duration", Default: "0s", Doc: "How long each repetition runs before it is measured, where the type can do so. A type may have an argument of this name of its own."},
		{Name: "cooldown", Type: "duration", Default: "0s", Doc: "How long to wait after each repetition. A type may have an argument of this name of its own."},
		{Name: "alongside", Type: "list of references", Doc: "Tests that start together with this one, once all are ready, and run at the same time, as often as this one: [test.TYPE.NAME]. Each keeps its own measures. All have the axes of all, and all that either needs stands for all. Absent and skipped ones are left out. They are never run alone, and repeat and retry are this test's: where one fails, all are tried again. Where they ran at the same time for less than 90 % of the longer, their samples carry a warning."},
		{Name: "share", Type: "bool", Default: "false", Doc: "It may run at the same time as others that say the same, though both would have something for themselves, such as the disks and processors of a host. Tests that stand on the same thing take turns all the same. What was shared with which tests is a warning on every sample, since two benchmarks on one machine usually are a wrong result."},
	},
	Free:    "The other arguments are those of the type.",
	Blocks:  []Block{retryBlock, steadyBlock, skipBlock, importBlock},
	Example: "test",
}

var monitorBlock = Block{
	Name: "monitor", Labels: []string{"TYPE", "NAME"},
	Doc: "Watches something beside a test, from shortly before it begins until it has ended: disks, processors, an array's own counters. With during its figures stand at the test's coordinates, one for each repetition, and `monitor.TYPE.NAME.MEASURE` is compared, judged, plotted and computed with as a test's measure is. A monitor that fails does not fail the test, whose sample then carries a warning. Where the test is skipped or imported there is nothing to watch, and the monitor is skipped.",
	Attributes: []Attribute{
		onArgument, whenArgument, dependsOnArgument,
		{Name: "during", Type: "reference", Default: "every test on its hosts, as context", Doc: "The test that is watched, as it stands: test.TYPE.NAME. The monitor has its axes and may name no others, and the test stands on what the monitor needs too. Without it, figures are kept in the record and doubts about them are said of the tests; no block can name them, and the monitor names no axis and no setup."},
		{Name: "timeout", Type: "duration", Doc: "After this time it is ended, though the test goes on, and has not finished."},
	},
	Free:    "The other arguments are those of the type.",
	Blocks:  []Block{importBlock},
	Example: "monitor",
}
