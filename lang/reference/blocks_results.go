package reference

var measureBlock = Block{
	Name: "measure", Labels: []string{"NAME"},
	Doc: "A figure that is computed from others, `measure.NAME`.",
	Attributes: []Attribute{
		{Name: "value", Type: "number", Required: true, Doc: "An expression in which measures are numbers in base units (bytes, seconds and their quotients)."},
		{Name: "unit", Type: "string", Doc: "The unit of the result, such as \"NT$/tpmC\"."},
		{Name: "better", Type: "string", Doc: "higher or lower; without it neither is better."},
		{Name: "description", Type: "string", Doc: "What it is, for the report."},
	},
	Example: "measure",
}

var compareBlock = Block{
	Name: "compare", Labels: []string{"NAME"},
	Doc: "Compares one measure across one axis with a baseline, or with another run. It has an instance for each other case, and yields `compare.NAME.change` (signed: +15 % is more), `ratio` and `difference` of the medians.",
	Attributes: []Attribute{
		{Name: "measure", Type: "reference", Required: true, Doc: "test.TYPE.NAME.MEASURE, that of a dataset or monitor, or measure.NAME."},
		{Name: "across", Type: "axis", Doc: "The name of the axis. Either across or run is needed."},
		{Name: "run", Type: "string", Doc: "Another run, by its path or its id, in place of across: each instance is compared with itself there, by its address. null leaves it to --baseline of apply and judge, which also takes the place of a run that is named. What differs between the two runs, of the machines, the configuration and the providers, is a warning, and with strict decides no KPI."},
		{Name: "baseline", Type: "case", Default: "that of the axis", Doc: "The case that the others are compared with."},
		{Name: "by", Type: "list of string", Doc: "Keys of the measure, such as [\"host\"]: there is a comparison for each combination that the results bring. Without it, the figure over all keys is compared. Published figures have no keys."},
		{Name: "when", Type: "bool", Default: "true", Doc: "Where it is false nothing is compared; it may depend on the axes of the measure."},
		{Name: "description", Type: "string", Doc: "What is compared, for the reader of the spec."},
	},
	Blocks: []Block{{
		Name: "import",
		Doc:  "Takes published figures from a table in place of measured ones. Its columns are the axes of the measure and `change` (+19.6%), `ratio` or `difference`. Such a comparison is quoted: it has no n and no interval, KPIs judge its bare figure, and plan and report say so. Its tests need not exist.",
		Attributes: []Attribute{
			{Name: "path", Type: "string", Required: true, Doc: "The table, relative to the spec's folder."},
			{Name: "format", Type: "one of csv, json", Default: "csv", Doc: "Of the table."},
			{Name: "when", Type: "bool", Default: "true", Doc: "Where it is false the measured figures are compared."},
		},
		Example: "quoted",
	}},
	Example: "compare",
}

var kpiBlock = Block{
	Name: "kpi", Labels: []string{"NAME"},
	Doc: "A limit on a measure or a comparison. It gives one verdict for each instance: pass, fail, inconclusive, invalid or skipped. Limits are inclusive; absent data never pass. One of min, max, within, min_of and max_of is needed.",
	Attributes: []Attribute{
		{Name: "measure", Type: "reference", Required: true, Doc: "test.TYPE.NAME.MEASURE, that of a dataset or monitor, measure.NAME, or compare.NAME.change, ratio or difference."},
		{Name: "profile", Type: "string", Doc: "Published limits in place of one of the spec's own: the name of a profile, or a JSON file beside the spec. measure then names the whole test, test.TYPE.NAME, and each limit finds its measure, and its row by keys of the results or axes. A limit that nothing judges is listed, and so is what is less strict than published."},
		{Name: "where", Type: "object", Doc: "Which instances are judged: { AXIS = \"case\" } or { AXIS = [\"case\", \"case\"] }. It may name keys of the measure too, { host = \"h1\" }; for a value that no result brings the verdict is inconclusive."},
		{Name: "by", Type: "list of string", Doc: "Keys of the measure, such as [\"host\"]: there is a verdict for each combination that the results bring. Without it, and with no key in where, the figure over all keys is judged. A comparison has its own."},
		{Name: "when", Type: "bool", Default: "true", Doc: "Where it is false there is no verdict; it may depend on the axes of the measure. A KPI that it switches off wholly is listed, and has no effect."},
		{Name: "min", Type: "quantity", Doc: "The least that passes, with the measure's unit; of a change signed and in percent, \"+15%\"."},
		{Name: "max", Type: "quantity", Doc: "The most that passes."},
		{Name: "within", Type: "list of two quantities", Doc: "Both: [\"4ms\", \"6ms\"]."},
		{Name: "min_of", Type: "reference", Doc: "Another figure, in place of min: the median of another measure at the same coordinates and keys, or, where a comparison is judged, that of another comparison. With confidence it is the interval of the difference that decides, both taken as independent."},
		{Name: "max_of", Type: "reference", Doc: "The same, in place of max."},
		{Name: "statistic", Type: "string", Default: "median", Doc: "Over the repetitions: median, worst, best, or each, where every repetition must pass."},
		{Name: "severity", Type: "string", Default: "required", Doc: "A required KPI that fails ends apply and judge with 10; an advisory one is only shown."},
		{Name: "confidence", Type: "share", Doc: "Judge the interval at this confidence instead of the bare figure; 0 judges the figure. Required KPIs on comparisons have that of the spec."},
		{Name: "because", Type: "string", Doc: "Where the limit comes from; printed with the verdict."},
		{Name: "description", Type: "string", Doc: "What it is about, for the reader of the spec."},
	},
	Blocks: []Block{{
		Name: "limit", Labels: []string{"MEASURE"},
		Doc: "Of a KPI with a profile: changes published limits on one measure. A stricter one is a limit as any other; one that lets more through is named in plan and report.",
		Attributes: []Attribute{
			{Name: "where", Type: "object", Doc: "Which rows of the profile: { KEY = \"value\" } or { KEY = [\"value\", \"value\"] }; without it all of that measure."},
			{Name: "min", Type: "quantity", Doc: "In place of the published min."},
			{Name: "max", Type: "quantity", Doc: "In place of the published max."},
			{Name: "because", Type: "string", Required: true, Doc: "Why it is another one; printed with the verdict."},
		},
		Example: "limit",
	}},
	Example: "kpi",
}

var plotBlock = Block{
	Name: "plot", Labels: []string{"NAME"},
	Doc: "A figure of the report, as SVG and PNG. Each axis of the measure has one place in it at most; those that have none give one figure for each of their cases. The limits of KPIs on what is drawn are lines in it.\n\n" +
		"The kinds are:\n\n" +
		"- `bars`: medians side by side, grouped by series, with their intervals;\n" +
		"- `lines`: medians along an axis, at their values where the cases are numbers or quantities;\n" +
		"- `series`: how a measure of a test or monitor went over the time of a repetition, with what happened meanwhile. Without series all repetitions are drawn, with it the first;\n" +
		"- `percentiles`: the whole distribution of which y is a percentile, over the percentile on a scale on which 90 %, 99 % and 99.9 % lie equally far apart; histograms of all repetitions are merged;\n" +
		"- `cdf`: the same as shares of the operations that were at least so good;\n" +
		"- `heatmap`: medians as colours and numbers, x from left to right and rows from bottom to top; what is beyond the limit of a KPI is marked;\n" +
		"- `hockey_stick`: y over another measure, x: latency over throughput, joined in the order of load and labelled with it.",
	Attributes: []Attribute{
		{Name: "y", Type: "reference", Required: true, Doc: "test.TYPE.NAME.MEASURE, that of a dataset or monitor, or measure.NAME. Of percentiles and cdf it is a percentile, such as latency_p99."},
		{Name: "x", Type: "axis or reference", Doc: "Of bars, lines and heatmaps the axis from left to right, or a key of the measure, as in series, rows, load and facet. Of a hockey_stick another measure of the same test. Other kinds have none."},
		{Name: "kind", Type: "string", Default: "bars", Doc: "bars, lines, series, percentiles, cdf, heatmap or hockey_stick."},
		{Name: "title", Type: "string", Doc: "The heading of the figure."},
		{Name: "series", Type: "axis", Doc: "The axis that colours tell apart. A heatmap has none."},
		{Name: "facet", Type: "axis", Doc: "The axis that has a panel for each case, all on the same scales."},
		{Name: "rows", Type: "axis", Doc: "Of a heatmap, which needs it: the axis from bottom to top."},
		{Name: "load", Type: "axis", Doc: "Of a hockey_stick, which needs it: the axis along which the load rises, such as iodepth or threads."},
		{Name: "scale", Type: "string", Default: "linear; of percentiles and cdf log10", Doc: "linear or log10, of lines also log2: of x in lines, of what is measured in percentiles, cdf and hockey_stick (there of y), of the colours in a heatmap. Other kinds have none."},
		{Name: "relative", Type: "bool", Default: "false", Doc: "Of bars: also how much they are of the baseline of series, or of x where series has none, in percent on a second axis."},
		{Name: "where", Type: "object", Doc: "Which instances are drawn, as in a kpi. Where no key of the measure is named, the figure over all is drawn."},
		{Name: "when", Type: "bool", Default: "true", Doc: "Where it is false the figure is not drawn."},
	},
	Example: "plot",
}
