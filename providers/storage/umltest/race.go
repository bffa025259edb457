//go:build race

package umltest

const race = true
