package host

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// leaving is how long a daemon has to leave the group of the command that started it, after that has ended: daemon(3) forks, lets
// the first process exit, and makes its session only then.
const leaving = 500 * time.Millisecond

// awaitLeaving waits until a group whose first process has ended has no other one that lives, at most for leaving.
func awaitLeaving(group int) {
	for end := time.Now().Add(leaving); inhabited(group) && time.Now().Before(end); {
		time.Sleep(2 * time.Millisecond)
	}
}

// inhabited reports whether a group has a process beside its first one that is not a zombie.
func inhabited(group int) bool {
	proc, err := os.Open("/proc")
	if err != nil {
		return false
	}
	defer proc.Close()
	names, _ := proc.Readdirnames(-1)
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil || pid == group {
			continue
		}
		if g, err := unix.Getpgid(pid); err == nil && g == group && !zombie(pid) {
			return true
		}
	}
	return false
}

// zombie reports whether a process has ended, or is gone. Its name, which may hold anything, stands in parentheses before the state.
func zombie(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	i := bytes.LastIndexByte(stat, ')')
	return err != nil || i < 0 || bytes.HasPrefix(stat[i+1:], []byte(" Z"))
}
