//go:build !nofacts

package facts

// Off leaves all facts out. The tag nofacts sets it, for a benchmark that tells what they cost.
const Off = false
