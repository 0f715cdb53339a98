package adapters

import (
	"errors"
	"fmt"
	"io"

	"contextscope/adapters/archive"
)

// errTaken ends the unpacking when the piece that was wanted is there.
var errTaken = errors.New("taken")

// Slice reads a piece of what was opened as in, packed or not: member and packing are those of the journal.Input that holds it, its path
// and its compression. It unpacks as far as it has to.
func Slice(in Input, member, packing string, offset, length int64, r io.Reader) ([]byte, error) {
	var piece []byte
	u := &archive.Unpacker{Skip: unwanted}
	_, err := u.Open(r, func(f *archive.File, r io.Reader) error {
		path := in.Path
		if f.Path != "" {
			path = in.place() + "/" + f.Path
		}
		if path != member || f.Packing != packing || f.Refused != "" {
			return nil
		}
		if _, err := io.CopyN(io.Discard, r, offset); err != nil {
			return err
		}
		piece = make([]byte, length)
		n, err := io.ReadFull(r, piece)
		if piece = piece[:n]; err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
			return err
		}
		return errTaken
	})
	switch {
	case piece != nil:
		return piece, nil
	case err != nil && err != io.EOF:
		return nil, err
	}
	return nil, fmt.Errorf("this record is not in %s any more", in.Name)
}
