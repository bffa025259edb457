package host

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
)

// killStrays kills the processes that carry a command's cookie in their environment, wherever they are: daemons that made a
// session of their own. It looks again until a pass finds none, since one may fork while another is read.
func killStrays(cookie string) { killAll(cookieName, cookie) }

// killAll kills the processes that have a variable of this value, but for this one.
func killAll(variable, value string) {
	mark := []byte(variable + "=" + value + "\x00")
	const passes = 10 // what forks faster than this is beyond us
	for range passes {
		if !killMarked(mark) {
			return
		}
	}
}

func killMarked(mark []byte) (found bool) {
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range files {
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err != nil || pid == os.Getpid() {
			continue
		}
		// The handle is taken before the environment is read, so that the signal reaches the process that was read.
		p, err := os.FindProcess(pid)
		if err != nil {
			continue
		}
		env, err := os.ReadFile(file)
		if err == nil && (bytes.HasPrefix(env, mark) || bytes.Contains(env, append([]byte{0}, mark...))) {
			if p.Kill() == nil {
				found = true
			}
		}
		_ = p.Release()
	}
	return found
}
