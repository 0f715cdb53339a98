// Package perfetto reads Perfetto traces: a stream of packets in protobuf's wire format.
//
// In comes a reader; it is read once, a packet at a time, and never held as a whole. Out comes a Trace: tracks, slices that
// lie one inside the other, the counters that were asked for, flows, and what is needed to convert the clocks. What the
// annotations of a slice mean is the caller's business: each is handed over while its packet is in memory, first those of
// the event that begins the slice, then those of the one that ends it, so that whoever puts them together has both.
//
// Promised is that damage costs no more than it has to. A field of the wrong wire type is passed over and its packet counted
// as malformed, with the byte where it begins; a packet that is too large is passed over; a trace that breaks off keeps what
// came before. Packets that come again, because traces were put one behind the other, are told by their sequence and count
// once. Refused is nothing: fields that are not known are skipped as protobuf wants it.
//
// Of the format only that is known which agent recorders write: strings stand inline (no interning), packets carry absolute
// timestamps (no deltas), and nothing is compressed.
package perfetto
