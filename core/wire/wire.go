// Package wire turns plain structs into bytes and back, for the messages between a page and its workers: both ends run
// the same build, so the bytes carry no names and no version. Integers are variable length, so a column of small
// numbers costs about a byte each.
//
// What it takes: bool, all integers, float64, string, and slices, structs and pointers of these (a nil pointer stays
// nil, a nil slice comes back nil). What it refuses: maps, interfaces, channels and functions, with an error that names
// the type. Decoding never trusts a length: damaged bytes give an error, not a panic and no huge allocation.
package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
)

// Append appends the bytes of v. It panics on a type that cannot be sent, which is a mistake in the program.
func Append(dst []byte, v any) []byte {
	return encoder{}.value(dst, reflect.ValueOf(v))
}

// AppendText is Append with every string of v as text gives it back.
func AppendText(dst []byte, v any, text func(string) string) []byte {
	return encoder{text}.value(dst, reflect.ValueOf(v))
}

// encoder appends values. text is what becomes of strings, nil for nothing.
type encoder struct{ text func(string) string }

func (e encoder) value(dst []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return append(dst, 1)
		}
		return append(dst, 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return binary.AppendVarint(dst, v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return binary.AppendUvarint(dst, v.Uint())
	case reflect.Float64:
		return binary.LittleEndian.AppendUint64(dst, math.Float64bits(v.Float()))
	case reflect.String:
		s := v.String()
		if e.text != nil {
			s = e.text(s)
		}
		dst = binary.AppendUvarint(dst, uint64(len(s)))
		return append(dst, s...)
	case reflect.Slice:
		return e.slice(dst, v)
	case reflect.Pointer:
		if v.IsNil() {
			return append(dst, 0)
		}
		return e.value(append(dst, 1), v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			dst = e.value(dst, v.Field(i))
		}
		return dst
	}
	panic(fmt.Sprintf("wire: a %s cannot be sent", v.Type()))
}

func (e encoder) slice(dst []byte, v reflect.Value) []byte {
	if v.IsNil() {
		return binary.AppendUvarint(dst, 0)
	}
	dst = binary.AppendUvarint(dst, uint64(v.Len())+1)
	switch s := v.Interface().(type) {
	case []byte:
		return append(dst, s...)
	case []int64: // the columns of a series: worth a loop without reflection
		for _, n := range s {
			dst = binary.AppendVarint(dst, n)
		}
		return dst
	}
	for i := range v.Len() {
		dst = e.value(dst, v.Index(i))
	}
	return dst
}

var errShort = errors.New("wire: the message ends early")

// Decode fills the value that v points to from bytes made by Append with the same type. Every byte must be used.
func Decode(b []byte, v any) error {
	p := reflect.ValueOf(v)
	if p.Kind() != reflect.Pointer || p.IsNil() {
		return errors.New("wire: decode needs a pointer")
	}
	d := decoder{b: b}
	d.value(p.Elem())
	if d.err == nil && len(d.b) > 0 {
		d.err = fmt.Errorf("wire: %d bytes too many", len(d.b))
	}
	return d.err
}

type decoder struct {
	b   []byte
	err error
}

func (d *decoder) fail(err error) {
	if d.err == nil {
		d.err = err
	}
	d.b = nil
}

func (d *decoder) take(n int) []byte {
	if n > len(d.b) {
		d.fail(errShort)
		return nil
	}
	b := d.b[:n]
	d.b = d.b[n:]
	return b
}

func (d *decoder) uvarint() uint64 {
	n, w := binary.Uvarint(d.b)
	if w <= 0 {
		d.fail(errShort)
		return 0
	}
	d.b = d.b[w:]
	return n
}

func (d *decoder) varint() int64 {
	n, w := binary.Varint(d.b)
	if w <= 0 {
		d.fail(errShort)
		return 0
	}
	d.b = d.b[w:]
	return n
}

// count reads a length of things that take at least a byte each, so that it can't ask for more than there is.
func (d *decoder) count() int {
	n := d.uvarint()
	if n > uint64(len(d.b)) {
		d.fail(errShort)
		return 0
	}
	return int(n)
}

func (d *decoder) value(v reflect.Value) {
	if d.err != nil {
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		if b := d.take(1); b != nil {
			v.SetBool(b[0] != 0)
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(d.varint())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(d.uvarint())
	case reflect.Float64:
		if b := d.take(8); b != nil {
			v.SetFloat(math.Float64frombits(binary.LittleEndian.Uint64(b)))
		}
	case reflect.String:
		v.SetString(string(d.take(d.count())))
	case reflect.Slice:
		d.slice(v)
	case reflect.Pointer:
		if b := d.take(1); b != nil && b[0] != 0 {
			v.Set(reflect.New(v.Type().Elem()))
			d.value(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			d.value(v.Field(i))
		}
	default:
		d.fail(fmt.Errorf("wire: a %s cannot be received", v.Type()))
	}
}

func (d *decoder) slice(v reflect.Value) {
	n := d.uvarint()
	if n == 0 || d.err != nil {
		v.SetZero()
		return
	}
	n--
	if n > uint64(len(d.b)) {
		d.fail(errShort)
		return
	}
	s := reflect.MakeSlice(v.Type(), int(n), int(n))
	switch p := s.Interface().(type) {
	case []byte:
		copy(p, d.take(int(n)))
	case []int64:
		for i := range p {
			p[i] = d.varint()
		}
	default:
		for i := range int(n) {
			d.value(s.Index(i))
		}
	}
	v.Set(s)
}
