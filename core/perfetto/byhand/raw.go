package byhand

import "fmt"

// Field is a member of a message as its bytes tell it: no names and no types but those of the wire.
type Field struct {
	Number uint64
	Wire   int // 0 varint, 1 eight bytes, 2 bytes
	N      uint64
	Bytes  []byte
}

// Raw takes a message apart.
func Raw(b []byte) (fields []Field, err error) {
	varint := func() (n uint64) {
		for shift := 0; ; shift += 7 {
			if len(b) == 0 || shift > 63 {
				err = fmt.Errorf("a number breaks off")
				return 0
			}
			c := b[0]
			b = b[1:]
			n |= uint64(c&127) << shift
			if c < 128 {
				return n
			}
		}
	}
	for len(b) > 0 && err == nil {
		tag := varint()
		f := Field{Number: tag >> 3, Wire: int(tag & 7)}
		switch f.Wire {
		case 0:
			f.N = varint()
		case 1:
			if len(b) < 8 {
				return nil, fmt.Errorf("eight bytes break off")
			}
			for i := range 8 {
				f.N |= uint64(b[i]) << (8 * i)
			}
			b = b[8:]
		case 2:
			n := varint()
			if n > uint64(len(b)) {
				return nil, fmt.Errorf("field %d breaks off", f.Number)
			}
			f.Bytes, b = b[:n], b[n:]
		default:
			return nil, fmt.Errorf("field %d has the wire type %d", f.Number, f.Wire)
		}
		fields = append(fields, f)
	}
	return fields, err
}

// Sub is the message in the first member of that number, nil where there is none.
func Sub(fields []Field, number uint64) []Field {
	for _, f := range fields {
		if f.Number == number && f.Wire == 2 {
			sub, err := Raw(f.Bytes)
			if err != nil {
				return nil
			}
			return sub
		}
	}
	return nil
}

// Val is the number in the first member of that number; ok is false where there is none.
func Val(fields []Field, number uint64) (n uint64, ok bool) {
	for _, f := range fields {
		if f.Number == number && f.Wire != 2 {
			return f.N, true
		}
	}
	return 0, false
}

// Word is the text in the first member of that number.
func Word(fields []Field, number uint64) string {
	for _, f := range fields {
		if f.Number == number && f.Wire == 2 {
			return string(f.Bytes)
		}
	}
	return ""
}
