//go:build race

package providertest

// raceDetector: the binary watches for races, which makes the cryptography at each start of a program dozens of times slower.
const raceDetector = true
