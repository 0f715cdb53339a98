package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// A Go program carries tables that tell the file and the line of every instruction, and the name of every function. Only
// stack traces read them, and in a page they are a twentieth of what has to come over the network. dropLines clears them, but
// for the names of our own functions: a trace then names those, without their lines. Everything else about functions stays,
// above all what unwinding the stack and collecting garbage need. The layout is that of the Go version that go.mod asks for;
// with any other one nothing is touched and an error says so.

// pclnMagic begins the table of functions (internal/abi: Go120PCLnTabMagic), with the quantum and pointer size of wasm.
var pclnMagic = []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}

// ours begins the names of our own functions.
var ours = []byte("contextscope/")

// The fields of runtime._func that matter here, in bytes from its start.
const (
	funcSP        = 16
	funcFile      = 20
	funcLine      = 24
	funcTables    = 28 // number of further tables, which follow the struct
	funcUnit      = 32
	funcStartLine = 36
	funcSize      = 44
)

// segment is a piece of a program's initial memory.
type segment struct {
	address int
	bytes   []byte // in the program
}

// memory is a program's initial memory: its segments with nothing but zeros between them.
type memory []segment

// dropLines clears the tables in place.
func dropLines(program []byte) error {
	m, size, err := initialMemory(program)
	if err != nil {
		return err
	}
	image := make([]byte, size)
	for _, s := range m {
		copy(image[s.address:], s.bytes)
	}
	at := bytes.Index(image, pclnMagic)
	if at < 0 {
		return fmt.Errorf("drop lines: no table of functions as Go 1.26 writes it")
	}
	word := func(i int) int { return int(binary.LittleEndian.Uint64(image[at+8*i:])) }
	functions := word(1)
	names, units, files, tables, entries := at+word(4), at+word(5), at+word(6), at+word(7), at+word(8)
	if functions <= 0 || !(at < names && names < units && units < files && files < tables && tables < entries && entries < size) {
		return fmt.Errorf("drop lines: the table of functions has another layout than that of Go 1.26")
	}
	t := pcTables{b: image[tables:entries], used: make([]bool, entries-tables)}
	for n := range functions {
		f := entries + int(binary.LittleEndian.Uint32(image[entries+8*n+4:]))
		offset := func(field int) uint32 { return binary.LittleEndian.Uint32(image[f+field:]) }
		t.keep(int(offset(funcSP)))
		for k := range int(offset(funcTables)) {
			t.keep(int(offset(funcSize + 4*k)))
		}
		for _, field := range []int{funcFile, funcLine, funcUnit, funcStartLine} {
			clear(image[f+field : f+field+4])
		}
	}
	for i, used := range t.used {
		if !used {
			t.b[i] = 0
		}
	}
	clear(image[units:tables])
	for name := range bytes.SplitSeq(image[names:units], []byte{0}) {
		if !bytes.HasPrefix(name, ours) && !bytes.HasPrefix(name, []byte("main.")) {
			clear(name)
		}
	}
	for _, s := range m {
		copy(s.bytes, image[s.address:])
	}
	return nil
}

// pcTables are the tables that map places in the code to values, one behind the other.
type pcTables struct {
	b    []byte
	used []bool
}

// keep marks the table at an offset as used; 0 is no table. It is a list of pairs of numbers of variable length, and ends
// where a pair would begin with zero, which only the first may.
func (t *pcTables) keep(offset int) {
	for i, first := offset, true; offset > 0; first = false {
		if t.b[i] == 0 && !first {
			t.used[i] = true
			return
		}
		for range 2 {
			for t.used[i] = true; t.b[i]&0x80 != 0; t.used[i] = true {
				i++
			}
			i++
		}
	}
}

// initialMemory finds the segments of a program's data and how far they reach.
func initialMemory(program []byte) (m memory, size int, err error) {
	r := &wasmReader{b: program, i: 8}
	for r.i < len(program) && r.err == nil {
		section := program[r.i]
		r.i++
		length := r.uint()
		end := r.i + length
		if section == 11 {
			for range r.uint() {
				r.expect(0, 0x41) // in memory 0, at a constant
				address := r.int()
				r.expect(0x0b)
				n := r.uint()
				if r.err != nil || r.i+n > len(program) {
					break
				}
				m = append(m, segment{address, program[r.i : r.i+n]})
				size = max(size, address+n)
				r.i += n
			}
		}
		r.i = end
	}
	if r.err == nil && len(m) == 0 {
		r.err = fmt.Errorf("drop lines: the program has no data")
	}
	return m, size, r.err
}

type wasmReader struct {
	b   []byte
	i   int
	err error
}

func (r *wasmReader) uint() int {
	v, n := binary.Uvarint(r.b[min(r.i, len(r.b)):])
	if n <= 0 {
		r.err = fmt.Errorf("drop lines: the program ends early")
		return 0
	}
	r.i += n
	return int(v)
}

// int reads a signed LEB128, which is no zigzag.
func (r *wasmReader) int() int {
	v, shift := 0, 0
	for r.i < len(r.b) {
		c := r.b[r.i]
		r.i++
		v |= int(c&0x7f) << shift
		shift += 7
		if c&0x80 == 0 {
			if c&0x40 != 0 {
				v |= -1 << shift
			}
			return v
		}
	}
	r.err = fmt.Errorf("drop lines: the program ends early")
	return 0
}

func (r *wasmReader) expect(want ...byte) {
	if r.err == nil && !bytes.HasPrefix(r.b[min(r.i, len(r.b)):], want) {
		r.err = fmt.Errorf("drop lines: unexpected data at byte %d", r.i)
		return
	}
	r.i += len(want)
}
