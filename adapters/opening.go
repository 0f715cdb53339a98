package adapters

import (
	"fmt"
	"io"
	"path"
	"strings"

	"contextscope/adapters/archive"
	"contextscope/adapters/folder"
	"contextscope/core/journal"
)

// opening is an input that is being read, with all that is packed in it.
type opening struct {
	*Library
	in      Input
	before  int // inputs that were open
	leftOut int // files of an archive that are no journals
}

// read unpacks the input and reads each file in it.
func (o *opening) read(r io.Reader) error {
	o.packed.Skip = unwanted
	contents, err := o.packed.Open(r, o.file)
	if err != nil {
		return err
	}
	if contents.Archive != "" {
		o.leftOut += contents.Skipped
		o.closeArchive(&contents)
		return nil
	}
	// What shows behind the end of the only file is said where the file is.
	for _, w := range o.packed.Notes() {
		o.inputs[len(o.inputs)-1].Warnings.Add(w)
	}
	return nil
}

// file reads a file as it comes out of the input.
func (o *opening) file(f *archive.File, r io.Reader) error {
	j := &journal.Input{Index: o.Len(), Name: o.in.Name, Path: o.in.Path, Compression: f.Packing}
	j.Strings = &o.strings
	size := int64(-1)
	switch {
	case f.Path != "":
		j.Name, j.Path = f.Name, o.in.place()+"/"+f.Path
	case f.Packing == "":
		size = o.in.Size
	}
	if f.Refused != "" {
		j.Refused, j.Reason = true, f.Refused
	} else if err := o.Library.file(j, size, f.Path == "" || folder.Takes(f.Path), r); err != nil {
		return err
	}
	notes := o.packed.Notes()
	if j.Refused && j.Bytes == 0 && len(notes) > 0 && f.Refused == "" {
		j.Reason, j.Warnings = "packed data of which nothing could be read", journal.Warnings{}
	}
	for _, w := range notes {
		j.Warnings.Add(w)
	}
	if f.Path != "" && j.Refused && !listed(j) {
		o.leftOut++
		return nil
	}
	o.keep(j)
	return nil
}

// place is how paths inside of an archive begin.
func (in *Input) place() string {
	if in.Path != "" {
		return in.Path
	}
	return in.Name
}

// unwanted tells which files of an archive are not even looked at: those in folders that are not entered anywhere, and
// what systems put beside the files that a person packed.
func unwanted(file string) bool {
	if strings.HasPrefix(path.Base(file), "._") {
		return true
	}
	for dir := path.Dir(file); dir != "." && dir != "/"; dir = path.Dir(dir) {
		if base := path.Base(dir); base == "__MACOSX" || !folder.Enters(base) {
			return true
		}
	}
	return false
}

// listed tells whether a file of an archive that was not opened is shown, and not only counted: what has the name of a
// journal is, because somebody may miss it. Harnesses keep their prompt histories beside their journals.
func listed(j *journal.Input) bool {
	return folder.Takes(j.Path) && !strings.HasSuffix(j.Reason, "prompt history")
}

// closeArchive adds an input for the archive itself where it has something to say.
func (o *opening) closeArchive(contents *archive.Contents) {
	read := 0
	for _, j := range o.inputs[o.before:] {
		if !j.Refused {
			read++
		}
	}
	j := &journal.Input{Index: o.Len(), Name: o.in.Name, Path: o.in.Path, Compression: contents.Archive, Format: contents.Archive}
	j.Bytes = max(o.in.Size, contents.Read) // packed: it is not the sum of what is in it
	j.Reason = "an archive of which " + count(read, "file was read", "files were read")
	j.Strings = &o.strings
	for _, w := range o.packed.Notes() {
		j.Warnings.Add(w)
	}
	if o.Len() == o.before {
		j.Refused, j.Format = true, ""
		j.Warnings.Add(journal.Warning{Code: journal.WarnNotAJournal,
			Message: fmt.Sprintf("no journal is in this archive; %s in it", count(o.leftOut, "other file is", "other files are")),
			Hint:    "A single file of any name can be opened by itself."})
	} else if o.leftOut > 0 {
		j.Warnings.Add(journal.Warning{Code: journal.WarnLeftOut,
			Message: count(o.leftOut, "other file in this archive is no journal and was", "other files in this archive are no journals and were") + " left out"})
	}
	if len(j.Warnings.List) > 0 {
		o.keep(j)
	}
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
