//go:build nofacts

package facts

// Off leaves all facts out.
const Off = true
