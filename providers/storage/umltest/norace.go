//go:build !race

package umltest

const race = false
