package journal

import "strings"

// Input is one file, or one member of an archive, with the records that were read from it.
type Input struct {
	Batch
	Index  int
	Name   string // base name, as a person knows it
	Path   string // path inside a dropped folder or an archive, "" when it came alone
	Format string // key of the adapter, "" when nothing could read it
	Reason string // why it was recognised, or what was seen instead

	Compression string // how it was packed, the outermost first: "gzip", "zip+zstd"; "" for not at all

	Bytes     int64 // read, after decompression
	Lines     int64
	Values    int64 // records that were read whole
	Malformed int64
	Kinds     []KindCount // records of kinds that the adapter does not know
	Warnings  Warnings
	Refused   bool

	// Kept is what an adapter keeps of the input beside its records: a trace is no list of them.
	Kept any
}

// Fit gives back the memory that an input to which nothing will be added does not use, also that of what is kept beside the
// records.
func (in *Input) Fit() {
	in.Batch.Fit()
	if kept, ok := in.Kept.(interface{ Fit() }); ok {
		kept.Fit()
	}
}

// Folder is where an input lies that came with a folder or an archive; "" for one that a person named.
func (in *Input) Folder() string {
	return in.Path[:max(0, strings.LastIndexAny(in.Path, `/\`))]
}

// KindCount counts the records of a kind under the name that the journal gives it.
type KindCount struct {
	Kind  string
	Count int64
}

// maxKinds bounds the list of unknown kinds: a damaged file must not fill it with noise.
const maxKinds = 64

// Unknown counts a record of a kind that the adapter does not know.
func (in *Input) Unknown(kind []byte) {
	if len(kind) == 0 {
		kind = []byte("(no type)")
	}
	for i := range in.Kinds {
		if in.Kinds[i].Kind == string(kind) {
			in.Kinds[i].Count++
			return
		}
	}
	if len(in.Kinds) == maxKinds {
		kind = []byte("(others)")
		if in.Kinds[maxKinds-1].Kind == "(others)" {
			in.Kinds[maxKinds-1].Count++
			return
		}
		in.Kinds = in.Kinds[:maxKinds-1]
	}
	in.Kinds = append(in.Kinds, KindCount{string(kind), 1})
}

// FirstTime is the time of the first record that has one, 0 when none has.
func (in *Input) FirstTime() int64 {
	for i := range in.Records.Len() {
		if at := in.Records.At(i).At; at != 0 {
			return at
		}
	}
	return 0
}
