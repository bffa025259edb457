package chart

import "fmt"

// Colour is that of the i-th series, from 0, as CSS and HTML write it: what is drawn elsewhere from the same data looks the same.
func Colour(i int) string {
	c := lookOf(i).fill
	return fmt.Sprintf("#%02x%02x%02x", c.r, c.g, c.b)
}
