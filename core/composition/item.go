// Package composition keeps account of what is in a model's context and takes snapshots of it (schema version 1).
//
// In come, in the order of one session, items that enter, change or leave, and the moments at which to take a snapshot.
// Out come snapshots: exclusive token counts per category, and what changed since the snapshot before, item by item.
// Only counts and identities are kept. A snapshot costs the items that changed, not all that are there, so that a long
// session takes time in proportion to its length.
//
// Estimates are characters / 4, rounded up for each item on its own, and are never scaled to what a provider reported.
package composition

import (
	"encoding/binary"
	"strconv"

	"contextscope/core/journal"
)

// Prefix says what an item's id is made of; it is the part before the colon.
type Prefix uint8

// The prefixes.
const (
	Message     Prefix = iota // message:<hash of the record's id>[:<part>]
	ToolCall                  // call:<call id>
	ToolResult                // result:<call id>
	Section                   // section:<name>
	ToolSpec                  // tool:<name>
	Summary                   // summary:<hash of the record's id>
	Replacement               // compact:<hash>:<part>
	Named                     // the name alone
)

var prefixes = [...]string{"message:", "call:", "result:", "section:", "tool:", "summary:", "compact:", ""}

// ID identifies an item inside its session. Either Name or Hash tells it apart; Part tells pieces of one record apart.
type ID struct {
	Hash   uint64
	Name   journal.Ref
	Part   uint16
	Prefix Prefix
}

// Nth is the id of the n-th item, from 0, of a record with that hash. Beyond what Part can count the hash goes on.
func Nth(hash uint64, n int) ID {
	return ID{Hash: hash + uint64(n>>16)*0x9E3779B97F4A7C15, Part: uint16(n)}
}

// key folds an ID into a map key.
func (id ID) key() uint64 {
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:], id.Hash)
	binary.LittleEndian.PutUint32(b[8:], uint32(id.Name))
	binary.LittleEndian.PutUint16(b[12:], id.Part)
	b[14] = byte(id.Prefix)
	return journal.Hash(b[:])
}

// Append writes the id as it stands in documents.
func (id ID) Append(dst []byte, strings *journal.Strings) []byte {
	dst = append(dst, prefixes[id.Prefix]...)
	if id.Name != 0 {
		dst = append(dst, strings.Get(id.Name)...)
	} else {
		const hex = "0123456789abcdef"
		for shift := 60; shift >= 0; shift -= 4 {
			dst = append(dst, hex[id.Hash>>shift&15])
		}
	}
	if id.Part > 0 {
		dst = append(dst, ':')
		dst = strconv.AppendUint(dst, uint64(id.Part), 10)
	}
	return dst
}

// SourceKind says what an item came from.
type SourceKind uint8

// The kinds of source.
const (
	NoSource SourceKind = iota
	FromTool
	FromPrompt
	FromResponse
)

// String is the spelling of the schema, "" for none.
func (k SourceKind) String() string { return [...]string{"", "tool", "prompt", "response"}[k] }

// Uncounted stands for characters that were not counted: the size was told in tokens.
const Uncounted = ^uint32(0)

// Item is a piece of the context.
type Item struct {
	ID       ID
	Tokens   uint32
	Chars    uint32 // UTF-16 code units, or Uncounted
	Call     journal.Ref
	Label    journal.Ref
	Input    int32 // where it stands
	Record   int32
	Other    journal.Ref // key of a category that the schema does not have; Category is NoCategory then
	Category journal.Category
	Source   SourceKind
}

// Tokens is the estimate for a number of UTF-16 code units.
func Tokens(units uint32) uint32 { return uint32((uint64(units) + 3) / 4) }
