// Package lang is the reference of assay's language, as far as it works now. It has no code: see its subfolders.
//
// A spec is a folder of files that end in .assay.hcl (or .assay.json, in HCL's JSON syntax). All files of the folder are read
// together; neither their order nor that of the blocks in them matters. A spec says what stands on the bench, what is
// varied, how it is set up, what is measured, and what counts as good enough:
//
//	spec {
//	  title = "Small blocks against large ones"
//	}
//
//	matrix {
//	  axis "bs" {
//	    baseline = "4KiB"
//	    values   = ["4KiB", "128KiB"]
//	  }
//	}
//
//	setup "storage_directory" "scratch" {
//	  path = "/var/tmp/scratch"
//	}
//
//	test "fio" "seq" {
//	  directory = setup.storage_directory.scratch.path
//	  rw        = "read"
//	  bs        = matrix.bs
//	  size      = "64MiB"
//	  runtime   = "10s"
//	  repeat    = 6
//	}
//
//	compare "blocks" {
//	  measure = test.fio.seq.bandwidth
//	  across  = "bs"
//	}
//
//	kpi "faster" {
//	  measure = compare.blocks.change
//	  min     = "+15%"
//	  because = "Large blocks are what the product writes"
//	}
//
//	plot "bandwidth" {
//	  y = test.fio.seq.bandwidth
//	  x = "bs"
//	}
//
// # The one idea
//
// A block exists once for every combination of the axes that it depends on. There is no loop. The axes of a block are those
// that it names, directly or through a local or another block. Below, the array names the axis drive, so there are two; the
// fault names state, and drive through the array: four; the test names rw too: eight, less the two that are excluded. A
// reference finds the one instance at the same coordinates.
//
//	matrix {
//	  axis "drive" {
//	    case "sas" {
//	      label   = "2 x SAS SSD"
//	      members = ["S1", "S2"]
//	    }
//	    case "sata" {
//	      label   = "2 x SATA SSD"
//	      members = ["T1", "T2"]
//	    }
//	  }
//	  axis "state" {
//	    values = ["healthy", "degraded"]
//	  }
//	  axis "rw" {
//	    values = ["read", "write"]
//	  }
//	  exclude {
//	    when   = rw == "write" && state != "healthy"
//	    reason = "Only reads are measured on a faulty array"
//	  }
//	}
//
//	setup "fake_thing" "array" {
//	  label  = "RAID 1"
//	  claims = matrix.drive.members
//	}
//
//	setup "fake_thing" "fault" {
//	  label = "${matrix.state} ${setup.fake_thing.array.id}"
//	}
//
//	test "fake" "seq" {
//	  thing      = setup.fake_thing.fault.id
//	  throughput = matrix.rw == "read" ? "2GB/s" : "1GB/s"
//	}
//
// Axes are found before anything is evaluated, so a reference cannot be computed: matrix[local.name] is an error.
// A setup that neither a test nor a dataset needs is checked and not planned.
//
// # spec
//
// title and description stand in the report. alpha (0.05) is the significance below which two arms are said to differ, and
// confidence (0.95) that of every interval. With strict, a comparison whose arms differ in more than its axis decides no KPI. All are
// optional, and so is the block.
//
// # variable and locals
//
// A variable has a type, a default, a description, sensitive, and validation blocks, as in Terraform. Its value comes from
// the environment (ASSAY_VAR_name), from assay.auto.assayvars in the spec's folder, from --var-file and from --var; later
// ones win. A default is written out and names nothing; a validation names variables only. What is sensitive is never
// shown: it cannot be a case, a title, a threshold, or anything else that stands in a report.
//
// A local names the value of an expression. It may use all that an expression may, and has the axes of what it names.
//
//	variable "runtime" {
//	  type        = string
//	  default     = "60s"
//	  description = "How long each repetition measures."
//	  validation {
//	    condition = seconds(var.runtime) >= 1
//	    message   = "Less than a second is no measurement."
//	  }
//	}
//
//	locals {
//	  latency = "${seconds(var.runtime) * 2}us"
//	}
//
//	test "fake" "t" {
//	  latency = local.latency
//	}
//
// # provider
//
// A provider block configures a provider for the whole spec; without it the defaults hold. It may name variables, locals and
// hardware, but nothing that varies, and no setup.
//
//	provider "fake" {
//	  world = "rehearsal"
//	}
//
//	test "fake" "t" {
//	  latency = "1ms"
//	}
//
// # hardware
//
// What stands on the bench: hosts (ssh://user@host:port; none: this machine), memory, and disks blocks with model,
// capacity, serials, wwns, slots, count and sandbox. It may name variables, and locals that do not name hardware. A block
// runs on the hardware that its argument on names; without on, on the only hardware, else on this machine.
//
//	hardware "server" {
//	  memory = "256GiB"
//	  disks "sas" {
//	    capacity = "1.92TB"
//	    serials  = ["S0001", "S0002"]
//	  }
//	}
//
//	setup "fake_thing" "pool" {
//	  on     = hardware.server
//	  claims = hardware.server.disks.sas.serials
//	}
//
//	test "fake" "t" {
//	  on    = hardware.server
//	  thing = setup.fake_thing.pool.id
//	  count = 1
//	}
//
// # matrix
//
// Each axis has values (strings, numbers or bools) or case blocks, whose attributes must be the same in all cases; name and
// label are always there. matrix.AXIS is the value, or an object for case blocks: compare matrix.drive.name, not
// matrix.drive. baseline is the case against which comparisons across the axis are made. Cases may come from variables,
// locals and hardware.
//
// exclude takes out combinations. Its when names axes by their bare names, and a case by its name. It holds for every block
// that has all axes which when names. reason is required, and printed.
//
// # setup, dataset and test
//
// The header names type and name: setup "TYPE" "NAME". Which arguments a block takes, what outputs a setup
// or dataset promises and what measures a test or the load of a dataset yields is a matter of its type. Besides, there are:
//
//	on          a hardware block
//	when        where it is false there is no instance; a reference to it is null, and no need
//	depends_on  a list of setups and datasets that must stand, beside those that are referred to
//	timeout     a duration, after which a step is ended
//	retry       attempts (all of them, the first too) and backoff, a duration
//	keep        setups, datasets: left standing at the end
//	erase       setups, datasets: what is on a disk may be lost
//	repeat      tests: how many repetitions; 1 unless given
//	alongside   tests: a list of tests that start together with this one, as often as this one
//	share       tests: may run beside others that say the same, though both would have a host for themselves; samples carry a warning
//	for_each    setups: one instance for each key of a list or set of strings, or of a map
//	skip        tests: reason, and when: the test stays in plan, tables and report, as skipped, and is not run
//	import      tests, monitors: path (relative to the spec) and format of result files that stand in place of a run; when
//
// A tool's target (fio's directory) is an output of a setup as it stands, never a text.
//
//	matrix {
//	  axis "store" {
//	    values = ["directory", "thing"]
//	  }
//	}
//
//	setup "storage_directory" "d" {
//	  when = matrix.store == "directory"
//	  path = "/var/tmp/d"
//	}
//
//	setup "fake_thing" "t" {
//	  when = matrix.store == "thing"
//	  keep = true
//	}
//
//	test "fake" "both" {
//	  thing   = matrix.store == "directory" ? setup.storage_directory.d.path : setup.fake_thing.t.id
//	  count   = 1
//	  repeat  = 3
//	  timeout = "10min"
//	  retry {
//	    attempts = 2
//	    backoff  = "5s"
//	  }
//	}
//
// for_each is for what is several and is no comparison, such as ten file systems on ten disks. The arguments name each.key and
// each.value. A reference is a map by key, of which a key may be named: what names one needs only that one. The address of an
// instance has the key as in Terraform: setup.fake_thing.disk["d1"].
//
//	setup "fake_thing" "disk" {
//	  for_each = { d1 = "S0001", d2 = "S0002" }
//	  claims   = ["disk:${each.value}"]
//	}
//
//	setup "fake_thing" "volume" {
//	  for_each = setup.fake_thing.disk
//	  label    = "${each.key} on ${each.value.id}"
//	}
//
//	test "fake" "first" {
//	  thing = setup.fake_thing.volume["d1"].id
//	  count = length([for key, volume in setup.fake_thing.volume : volume.id])
//	}
//
//	test "fake" "second" {
//	  thing = setup.fake_thing.disk["d2"].id
//	  skip {
//	    reason = "The second disk is at the vendor's"
//	  }
//	}
//
// A test may promise outputs as well. Only another test can name them: it is run after that one, in the same repetition, such as a
// restore after its backup. It has at most as many repetitions, is blocked where the one before is not ok, and skipped where that
// is skipped. All that the tests need stands for all of them.
//
//	setup "fake_thing" "store" {
//	  label = "nfs"
//	}
//
//	test "fake" "backup" {
//	  thing  = setup.fake_thing.store.id
//	  count  = 1
//	  repeat = 3
//	}
//
//	test "fake" "restore" {
//	  takes  = test.fake.backup.left
//	  count  = 1
//	  repeat = 3
//	}
//
// Tests that one lists in alongside start together with it, once all are ready, and run at the same time; each has its own
// measures. They have the axes of all, since each combination is run together. They are not run otherwise: where the leader is absent
// or skipped, so are they, and repeat and retry are the leader's. One that is absent or skipped itself is left out.
//
//	matrix {
//	  axis "load" {
//	    values = ["none", "backup"]
//	  }
//	}
//
//	test "fake" "queries" {
//	  latency   = "4ms"
//	  alongside = [test.fake.backup]
//	  repeat    = 4
//	}
//
//	test "fake" "backup" {
//	  when       = matrix.load == "backup"
//	  throughput = "1GB/s"
//	}
//
// # import
//
// In a format that the test's type reads, path may be a pattern, and each file is one repetition. In csv and json, one file serves
// all instances. The first line of csv names the columns; json is a list of objects. Columns are named after axes, all of which
// must be there, keys and measures. A cell is a quantity; an axis's is a case, or a quantity of the same value. The rows of an
// instance are its repetitions in order, unless a column repetition numbers them; rows that differ in a key are one repetition.
// outcome may be failed, did_not_finish and so on, with a reason. An instance without a row is an error, and so is a row at a case
// that does not exist; one at coordinates without a test is a warning. Where a type reads json itself, json means that.
//
// On compare, the columns are axes and change (with its sign: +19.6%), ratio or difference. Such a comparison is quoted: it has no
// n and no interval, is judged by its bare figure, and says so everywhere. Its tests need not exist.
//
// A dataset is data that are generated or loaded. It is named as a setup is, dataset.TYPE.NAME.OUTPUT, and stands as one does. It goes
// with what it stands on, and the plan prints the loss; where it is needed again it is loaded again, which is a new generation. Its load is
// measured: dataset.TYPE.NAME.MEASURE is compared, judged, plotted and computed with as a test's measure is, with one figure for each load, and
// is needed for that alone. keep = true above a setup that is not kept is an error. A dataset is loaded in every run: what an earlier run
// left is not taken over.
//
//	matrix {
//	  axis "drive" {
//	    baseline = "sata"
//	    values   = ["sas", "sata"]
//	  }
//	}
//
//	setup "fake_thing" "array" {
//	  label = matrix.drive
//	}
//
//	dataset "fake_data" "orders" {
//	  thing = setup.fake_thing.array.id
//	  rows  = 1000000
//	}
//
//	test "fake" "queries" {
//	  thing = dataset.fake_data.orders.id
//	  count = 22
//	}
//
//	compare "loads" {
//	  measure = dataset.fake_data.orders.load_time
//	  across  = "drive"
//	}
//
// # monitor
//
// A monitor watches something beside a test. during names the test as it stands: there is a monitor for each of its instances, at the
// same coordinates; it may name no other axes, and setups that it names stand for the test too. It begins shortly before each
// repetition and ends after it. monitor.TYPE.NAME.MEASURE is compared, judged, plotted and computed with as a test's measure is. Without
// during it watches every test on its hosts: what it sees is context, kept in the record, and no block can name it. A monitor that
// fails leaves the test's sample as it is, with a warning. import takes its figures from files, as for a test. It takes on, when,
// depends_on, timeout, during and import.
//
//	matrix {
//	  axis "size" {
//	    values = ["small", "large"]
//	  }
//	}
//
//	test "fake" "copy" {
//	  throughput = matrix.size == "small" ? "1GB/s" : "2GB/s"
//	  repeat     = 3
//	}
//
//	monitor "fake" "client" {
//	  during = test.fake.copy
//	  load   = matrix.size == "small" ? "40%" : "80%"
//	}
//
//	kpi "client" {
//	  measure = monitor.fake.client.load
//	  max     = "90%"
//	  because = "A busy client measures itself"
//	}
//
// # compare
//
// measure is a reference to a measure of a test, dataset or monitor, across an axis that the test depends on. Each instance of the test is compared
// with the one at the baseline, everything else being equal; baseline takes the place of the axis's. A comparison
// yields change (a signed share), ratio and difference. Where there is nothing at the baseline there is no comparison, and
// the report says so.
//
// # Keys
//
// Results may bring coordinates of their own, which nobody knows before: the hosts of a test, its queries. They are the keys of a
// measure, which says too how it becomes one figure over them: the sum, the mean, or the worst. A reference means that figure, unless
// a key is named: by by in compare and kpi, by where in kpi and plot, or as x, series or facet of a plot. Then there is a comparison, a
// verdict, a bar for each combination that the results bring, and keys stand beside axes in its address: kpi.each[host=h1]. A measure that
// makes no one figure has to be named with all its keys. Values of a key are not checked; a KPI whose where names one that no result
// has is inconclusive. An axis cannot be called like a key.
//
//	test "fake" "cluster" {
//	  throughput = "2GB/s"
//	  latency    = "400us"
//	  hosts      = ["h1", "h2"]
//	}
//
//	kpi "all" {
//	  measure = test.fake.cluster.throughput
//	  min     = "2GB/s"
//	}
//
//	kpi "each" {
//	  measure = test.fake.cluster.throughput
//	  by      = ["host"]
//	  min     = "1GB/s"
//	}
//
//	kpi "first" {
//	  measure = test.fake.cluster.latency
//	  where   = { host = "h1" }
//	  max     = "500us"
//	}
//
//	plot "share" {
//	  y = test.fake.cluster.share
//	  x = "host"
//	}
//
// # kpi
//
// measure names a measure of a test, or a comparison's change, ratio or difference. min, max or within = [a, b] are
// inclusive, in the measure's dimension: a change is written with a sign ("+15%"), a share without ("95%"). where lets
// instances through by axis = case or a list of cases. severity is required or advisory, statistic median, worst, best or
// each, confidence below 1. because is printed. A threshold may depend on axes that its measure has. There is a verdict for
// each instance of the measure; a KPI that has none is listed as not judged.
//
//	matrix {
//	  axis "drive" {
//	    baseline = "sata"
//	    values   = ["sas", "sata"]
//	  }
//	}
//
//	test "fake" "t" {
//	  latency = matrix.drive == "sas" ? "400us" : "2ms"
//	  repeat  = 6
//	}
//
//	compare "drives" {
//	  measure = test.fake.t.latency
//	  across  = "drive"
//	}
//
//	kpi "change" {
//	  measure = compare.drives.change
//	  max     = "-20%"
//	}
//
//	kpi "latency" {
//	  measure  = test.fake.t.latency
//	  where    = { drive = ["sas", "sata"] }
//	  within   = ["1us", matrix.drive == "sas" ? "1ms" : "5ms"]
//	  severity = "advisory"
//	  because  = "What the database's timeout leaves"
//	}
//
//	plot "latency" {
//	  title = "Latency"
//	  kind  = "lines"
//	  y     = test.fake.t.latency
//	  x     = "drive"
//	}
//
// # plot
//
// y is a measure of a test; x, series and facet are axes or keys of it, each in one place. kind is bars or lines; lines may have a
// scale for x: linear, log2 or log10. where is as in kpi. kind may be series too, for a measure of a test or monitor that tells how it went
// over time: x is left out, since it is the time; without series all repetitions are drawn, with it the first.
//
//	test "fake" "write" {
//	  throughput = "1GB/s"
//	}
//
//	monitor "fake" "client" {
//	  during = test.fake.write
//	  load   = "40%"
//	}
//
//	plot "client" {
//	  kind = "series"
//	  y    = monitor.fake.client.load
//	}
//
// # Quantities
//
// A size, duration, rate or count is a string with a unit, read exactly: 400us is 4/10000 s. KiB MiB GiB TiB PiB are
// powers of 1024, kB MB GB TB PB of 1000, kbit Mbit Gbit in bits; k m g t alone are powers of 1024 for bytes, as fio users
// write them, and of 1000 for counts ("35k IOPS"). Durations are ns us ms s min h d, or several: 1h30m. Rates are per s, min
// or h: 28 GB/s. A bare number is taken only where there is no unit. A quantity of the wrong dimension is an error.
//
//	setup "storage_directory" "d" {
//	  path = "/var/tmp/d"
//	}
//
//	test "fio" "t" {
//	  directory = setup.storage_directory.d.path
//	  bs        = "4k"
//	  size      = "1.5GiB"
//	  runtime   = "1h30m"
//	  timeout   = "100min"
//	}
//
// # Expressions
//
// Names are var.NAME, local.NAME, matrix.AXIS, hardware.NAME, setup.TYPE.NAME and dataset.TYPE.NAME, and in a test an output of another,
// test.TYPE.NAME.OUTPUT. Results (measures of a test or a monitor, a dataset's load, compare) can be named in compare, kpi and plot only. Operators, conditionals, templates, for and splat are HCL's; functions are Terraform's (abs,
// ceil, concat, contains, distinct, element, flatten, format, join, keys, length, lookup, lower, max, merge, min, range,
// replace, sort, split, toset, try, upper, values, zipmap and more), and bytes("1GiB") and seconds("1h"), which give numbers.
// file("NAME") is the text of a file in the spec's folder, as for csvdecode. None looks at the machine or the clock.
//
// Where HCL is silent, assay is not: == between a string and a number, or an object and a string, is an error; so are an
// infinite number, an unknown attribute, and what is given twice. All errors of a spec are reported at once.
package lang
