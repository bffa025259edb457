package fio

import (
	"fmt"
	"sort"
	"strings"
)

// Why options are refused. The list is for messages only: what is not in allowed is refused with or without a reason here.
const (
	target      = "It names files. What fio works on comes from a setup only: give its path as directory."
	oneFile     = "A test works on one file that assay names; the number and order of files cannot be set."
	runsCommand = "It runs a command on the host. A spec may not: what has to be done before or after is not the work of a test."
	logFiles    = "It writes files of fio's own; log_avg_msec and log_hist_msec make series of bandwidth, IOPS and latency."
	replays     = "It replays a trace, which names its files itself. Describe the workload with rw, bs, rwmixread and rate."
	secondJob   = "It is about several jobs in one process. A test is one job with numjobs copies: write another test, and alongside to run both at once."
	ourOutput   = "The output's form is assay's: without it there is no sample."
	verifies    = "How data are verified is decided: write verify, the attribute, with the checksum. fio's other ways count reads with the measured ones, or hide errors."
	hidesErrors = "A run with errors is no sample, so errors cannot be skipped or hidden."
	endsEarly   = "It ends or empties the run, so that no sample could come of it."
	otherUnits  = "It changes how fio reads and prints quantities; assay always passes and reads plain ones."
	machine     = "It changes the host beyond this job. Use a setup for that, so that it is planned, checked and put back."
	fullDisk    = "It would write until the file system is full. Give size or filesize."
	trims       = "Trims are not measured; only reads and writes are."
)

// refused are the options that people do try, each with its reason.
var refused = map[string]string{
	"filename": target, "opendir": target, "filename_format": target, "unique_filename": target, "lockfile": target,
	"file_append": target,
	"nrfiles":     oneFile, "openfiles": oneFile, "file_service_type": oneFile,
	"exec_prerun": runsCommand, "exec_postrun": runsCommand, "exec": runsCommand, "trigger": runsCommand,
	"trigger-file": runsCommand, "trigger-timeout": runsCommand, "trigger-remote": runsCommand,
	"name": secondJob, "description": secondJob, "wait_for": secondJob, "stonewall": secondJob, "new_group": secondJob,
	"exitall": secondJob, "exit_what": secondJob, "exitall_on_error": secondJob, "flow": secondJob, "flow_id": secondJob,
	"flow_sleep": secondJob, "include": secondJob, "section": secondJob, "max-jobs": secondJob, "profile": secondJob,
	"client": secondJob, "server": secondJob, "remote-config": secondJob, "daemonize": secondJob,
	"write_bw_log": logFiles, "write_lat_log": logFiles, "write_iops_log": logFiles, "write_hist_log": logFiles,
	"write_iolog": logFiles, "error_dump": logFiles, "disk_util": ourOutput,
	"verify_state_load": logFiles, "verify_state_save": logFiles, "verify_dump": logFiles, "aux-path": logFiles,
	"read_iolog": replays, "merge_blktrace_file": replays,
	"output": ourOutput, "output-format": ourOutput, "append-terse": ourOutput, "minimal": ourOutput, "terse-version": ourOutput,
	"eta": ourOutput, "status-interval": ourOutput, "group_reporting": ourOutput, "unified_rw_reporting": ourOutput,
	"clat_percentiles": ourOutput, "lat_percentiles": ourOutput, "slat_percentiles": ourOutput, "percentile_list": ourOutput,
	"significant_figures": ourOutput, "stats": ourOutput, "debug": ourOutput, "block_error_percentiles": ourOutput,
	"bandwidth-log": logFiles, "per_job_logs": logFiles, "bwavgtime": logFiles, "iopsavgtime": logFiles,
	"do_verify": verifies, "verify_only": verifies, "experimental_verify": verifies,
	"continue_on_error": hidesErrors, "ignore_error": hidesErrors, "verify_fatal": verifies,
	"create_only": endsEarly, "parse-only": endsEarly, "showcmd": endsEarly, "rate_min": endsEarly, "rate_iops_min": endsEarly,
	"kb_base": otherUnits, "unit_base": otherUnits,
	"ioscheduler": machine, "cgroup": machine, "cgroup_weight": machine, "cgroup_nodelete": machine,
	"uid": machine, "gid": machine, "allow_mounted_write": machine, "hugepage-size": machine, "cpuclock-test": machine,
	"fill_device": fullDisk, "trim_percentage": trims, "trim_verify_zero": trims, "trim_backlog": trims,
	"time_based": "It is implied: where runtime is given, the job goes on until it has passed.",
	"buffered":   "It is the opposite of direct: write direct = false.",
	"rwmixwrite": "It is the rest of rwmixread: write rwmixread, which is 100 less it.",
	"readonly":   "A test that reads only is one with rw = \"read\" or \"randread\".",
}

// refusedPrefixes catch families of options.
var refusedPrefixes = map[string]string{
	"exec":    runsCommand,
	"replay_": replays, "read_iolog": replays, "merge_blktrace": replays,
	"verify_": verifies,
	"log_":    logFiles,
	"trigger": runsCommand,
	"cgroup":  machine,
	"trim_":   trims,
}

// aliases are the other names that fio knows for an option but does not list.
var aliases = map[string]string{
	"readwrite": "rw", "blocksize": "bs", "blockalign": "ba", "blocksize_range": "bsrange", "blocksize_unaligned": "bs_unaligned",
	"iodepth_batch_complete": "iodepth_batch_complete_min", "io_limit": "io_size", "fill_fs": "fill_device", "timeout": "runtime",
	"iomem": "mem", "mem_align": "iomem_align", "ratemin": "rate_min", "ratecycle": "rate_cycle", "ss": "steadystate",
	"ss_dur": "steadystate_duration", "ss_ramp": "steadystate_ramp_time", "fileoffset": "offset",
}

// refusal says why a name is not on the list, and what to do.
func refusal(name string) string {
	if attribute(name) != nil {
		return fmt.Sprintf("%s is an attribute of its own: write %s = … in the test, beside options.", name, name)
	}
	if why, ok := refused[name]; ok {
		return why
	}
	if full, ok := aliases[name]; ok {
		if attribute(full) == nil && !isAllowed(full) {
			return fmt.Sprintf("%s is another name of %s. %s", name, full, refusal(full))
		}
		return fmt.Sprintf("%s is another name of %s; only exact names are taken, so write %s.", name, full, full)
	}
	for _, full := range knownNames() {
		if len(name) > 2 && strings.HasPrefix(full, name) && (!ours[full] || full == "directory") { // of ours, fio has only that
			why := fmt.Sprintf("%s looks like a short form of %s; fio takes such, but only exact names are taken here.", name, full)
			if attribute(full) == nil && !isAllowed(full) {
				return why + " " + refusal(full)
			}
			return why + fmt.Sprintf(" Write %s.", full)
		}
	}
	if strings.HasPrefix(name, "write_") && strings.HasSuffix(name, "_log") {
		return logFiles
	}
	for prefix, why := range refusedPrefixes {
		if strings.HasPrefix(name, prefix) {
			return why
		}
	}
	return "It is not on the list of options that neither name a file nor run a command" + didYouMean(name, offeredNames()) +
		" Names are taken exactly as fio --cmdhelp gives them."
}

func isAllowed(name string) bool { _, ok := allowed[name]; return ok }

// attribute gives the attribute that bears an option's name.
func attribute(name string) *string {
	for _, a := range attributes() {
		if a.Name == name {
			return &a.Name
		}
	}
	return nil
}

// offeredNames are the names that a user may write, sorted.
func offeredNames() []string {
	var names []string
	for name := range allowed {
		names = append(names, name)
	}
	for _, a := range attributes() {
		names = append(names, a.Name)
	}
	sort.Strings(names)
	return names
}

// knownNames are those and the refused ones, sorted.
func knownNames() []string {
	names := offeredNames()
	for name := range refused {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}
