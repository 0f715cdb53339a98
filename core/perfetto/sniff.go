package perfetto

import "google.golang.org/protobuf/encoding/protowire"

// Sniff counts the packets at the beginning of an input that are a trace's without doubt: they parse to the end, their
// members have the wire types that they must have, and they hold an event, a track or clocks. 0 when anything else stands
// in between. The last packet may reach beyond what is there.
func Sniff(head []byte) int {
	n := 0
	for len(head) > 0 {
		num, typ, w := protowire.ConsumeTag(head)
		if w < 0 || num != tracePacket || typ != protowire.BytesType {
			return 0
		}
		size, k := protowire.ConsumeVarint(head[w:])
		if k < 0 || size > uint64(len(head)-w-k) {
			return n
		}
		body := head[w+k:][:size]
		ok, content := plausible(body)
		if !ok {
			return 0
		}
		if content {
			n++
		}
		head = head[w+k+int(size):]
	}
	return n
}

// plausible reports whether a packet parses, and whether it holds something that is known.
func plausible(body []byte) (ok, content bool) {
	w := &watch{}
	for m := (message{b: body, w: w}); m.next(); {
		switch m.num {
		case packetTimestamp, packetSequence, packetTimestampClock, packetMachine:
			m.isVarint()
		case packetEvent, packetTrackDescriptor, packetClockSnapshot:
			if !m.isBytes() {
				return false, false
			}
			content = true
			for k := m.inside(); k.next(); {
				if m.num == packetEvent && (k.num == eventType || k.num == eventTrack) || m.num == packetTrackDescriptor && k.num == trackUUID {
					k.isVarint()
				}
			}
		}
	}
	return w.what == "", content
}
