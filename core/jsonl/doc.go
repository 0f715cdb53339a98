// Package jsonl finds records and values in JSON Lines without decoding them.
//
// A journal can be gigabytes long, and a single line of it 100 MB. A Scanner reads it once, front to back, through one
// buffer of its own, and hands out only what it is asked for. Everything else is passed over at the speed of finding the
// next quote. No line, string or number ever has to fit into memory, and nothing is allocated per record.
//
//	s := jsonl.NewScanner(r, 0)
//	for s.Next() {
//		if s.Object() {
//			for k := s.Key(); k != nil; k = s.Key() {
//				switch string(k) {
//				case "type":
//					head, _ := s.Str(32)
//				case "content":
//					size := s.Text() // how much, not what
//				} // a value that nobody asked for is skipped
//			}
//		}
//		if err := s.Finish(); err != nil {
//			// this record is damaged: count it, go on
//		}
//	}
//	err := s.Err() // the reader's
//
// The scanner is always in front of a value, after one, or at the end of the input. Next, Key and Elem move in front of
// a value; Kind tells what it is; Text, Str, Quoted, Int, Float, Bool, JSONUnits and Skip consume it; Object and Array
// enter it. A container that was entered is read until Key returns nil or Elem false, or given up with Leave. A value of
// another kind than was asked for is consumed and counts as nothing, so a wrongly typed field costs nobody a check; only
// Object and Array leave it where it is, for another try.
//
// # What comes in
//
// UTF-8, one record a line. Only '\n' ends a line: U+2028 and U+2029 are text, CR is a blank. Several values on a line
// are found one after another. A byte order mark at the very start, blank lines and NUL bytes between records (left by
// crashes) are passed over. Records can be of any kind; what they must be is the caller's business.
//
// # What is promised
//
// Results never depend on how the input was cut into reads, nor on the size of the buffer. Whether a record is well
// formed never depends on what was asked of it: skipped parts are held to the same grammar as parts that are read.
//
// Sizes are those of the decoded text: UTF-16 code units (what JavaScript calls length) and UTF-8 bytes. A lone
// surrogate escape is 1 unit and 3 bytes. Invalid UTF-8 counts as the U+FFFD that browsers put there: 1 unit and 3 bytes
// for each sequence that breaks off or byte that begins none.
//
// # What is refused
//
// A value that its line or the input cuts off, or that breaks the grammar, is malformed: Finish says so once, with the
// place. What was read of it before is what stood there. Then the scanner looks on the same line for the beginning of
// another record (see resync.go) and otherwise goes on with the next line. Inside strings the scanner is lenient: raw
// control characters count as themselves, and after a backslash that begins no escape the next character counts alone.
// Nesting deeper than MaxDepth is refused.
package jsonl
