//go:build !race

package providertest

// raceDetector: see race.go.
const raceDetector = false
