package umltest

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// initScript is the first process of the machine.
//
//go:embed init.sh
var initScript []byte

// keeperScript outlives a test that is killed.
//
//go:embed keeper.sh
var keeperScript []byte

// Ended is how a command in a machine ended.
type Ended struct {
	Status  int    // of the command; 0 is success
	Output  string // standard output and standard error
	Console string // what the kernel said
}

const maxDisks = 16

// Boot starts a machine, runs a command in it and waits until it has ended; then nothing of the machine is left. scratch is an empty folder outside
// of /run, for the disks and the output; dir is where the command starts. An error means that the machine did not come so far, or was ended
// because ctx was, or its time had passed: Ended then has what there was by then.
func Boot(ctx context.Context, m Machine, scratch, dir string, argv []string) (Ended, error) {
	if m.Disks > maxDisks {
		return Ended{}, fmt.Errorf("a virtual machine has %d ubd disks at most", maxDisks)
	}
	kernel, err := exec.LookPath("linux.uml")
	if err != nil {
		return Ended{}, fmt.Errorf("install Debian's package user-mode-linux: %w", err)
	}
	args, err := prepare(m, scratch, dir, argv)
	if err != nil {
		return Ended{}, err
	}
	if m.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, m.Timeout, fmt.Errorf("the virtual machine had not ended after %s", m.Timeout))
		defer cancel()
	}
	var console bytes.Buffer
	cmd := exec.CommandContext(ctx, kernel, args...)
	cmd.Stdout, cmd.Stderr = &console, &console
	// UML is several processes; they are one group.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	err = runKept(cmd, filepath.Join(scratch, "keeper"))
	ended := Ended{Console: console.String()}
	output, readErr := os.ReadFile(filepath.Join(scratch, "out", "output"))
	ended.Output = string(output)
	if ctx.Err() != nil {
		return ended, context.Cause(ctx)
	}
	status, statusErr := os.ReadFile(filepath.Join(scratch, "out", "status"))
	if statusErr != nil { // the kernel's own status says nothing
		return ended, errors.Join(errors.New("the virtual machine ended before the command did"), err, readErr)
	}
	ended.Status, err = strconv.Atoi(strings.TrimSpace(string(status)))
	return ended, err
}

// runKept runs a command with a keeper beside it, which kills its group when this process is gone, however it went: UML's first process does not take
// the others with it.
func runKept(cmd *exec.Cmd, script string) error {
	if err := cmd.Start(); err != nil {
		return err
	}
	group := -cmd.Process.Pid
	keeper := exec.Command("sh", script, strconv.Itoa(-group))
	keeper.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	alive, err := keeper.StdinPipe()
	if err == nil {
		err = keeper.Start()
	}
	if err != nil {
		_ = syscall.Kill(group, syscall.SIGKILL)
		return errors.Join(err, cmd.Wait())
	}
	err = cmd.Wait()
	_ = syscall.Kill(group, syscall.SIGKILL) // what the kernel has left, if anything
	_ = keeper.Process.Kill()
	_ = alive.Close()
	_ = keeper.Wait() // it was killed
	return err
}

// environment is what the command in the machine sees of ours; the rest is of this machine and would mislead there.
var environment = regexp.MustCompile(`^(PATH|LANG|USER|GOTRACEBACK|GOCOVERDIR)=`)

// prepare lays the files of a machine down, and gives the arguments of the kernel.
func prepare(m Machine, scratch, dir string, argv []string) ([]string, error) {
	command := []string{"-i", "-C", dir, "LC_ALL=C", "HOME=" + Dir, "TMPDIR=" + Dir, inside + "=" + scratch}
	for _, e := range os.Environ() {
		if environment.MatchString(e) {
			command = append(command, e)
		}
	}
	if !m.Udev {
		command = append(command, "MDADM_NO_UDEV=1")
	}
	command = append(command, argv...)
	if err := os.Mkdir(filepath.Join(scratch, "out"), 0o755); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(scratch, "argv"), []byte(strings.Join(command, "\x00")+"\x00"), 0o644); err != nil {
		return nil, err
	}
	first := filepath.Join(scratch, "init")
	if err := os.WriteFile(first, initScript, 0o755); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(scratch, "keeper"), keeperScript, 0o644); err != nil {
		return nil, err
	}
	memory := m.MemoryMiB
	if memory == 0 {
		memory = 1024
	}
	args := []string{
		"mem=" + strconv.Itoa(memory) + "M", "root=/dev/root", "rootfstype=hostfs", "rootflags=/", "ro", "init=" + first,
		"con=null", "con0=null,fd:1", "quiet",
	}
	for i := range m.Disks {
		size := m.DiskBytes
		if size == 0 {
			size = 64 << 20
		}
		disk := filepath.Join(scratch, "disk"+strconv.Itoa(i))
		f, err := os.Create(disk)
		if err != nil {
			return nil, err
		}
		if err := errors.Join(f.Truncate(size), f.Close()); err != nil {
			return nil, err
		}
		args = append(args, "ubd"+strconv.Itoa(i)+"="+disk)
	}
	return args, nil
}
