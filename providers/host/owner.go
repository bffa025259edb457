package host

import (
	"os"
)

// OwnerName is the variable by which everything that belongs to one provider is known, where that is a program of its own: it has the
// variable, and gives it to its commands. So what it leaves can be ended when it has died.
const OwnerName = "ASSAY_OWNER"

// owned is the variable for the environment of a command on this machine; nil in assay itself.
func owned() []string {
	if owner := os.Getenv(OwnerName); owner != "" {
		return []string{OwnerName + "=" + owner}
	}
	return nil
}

// EndOwned kills the processes of an owner on this machine, but for the one that calls it.
func EndOwned(owner string) {
	if owner != "" {
		killAll(OwnerName, owner)
	}
}
