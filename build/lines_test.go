package main

import "testing"

func TestOnlyTablesInUseAreKept(t *testing.T) {
	// At 1 a table that begins with zero, at 6 one with numbers of two bytes, at 12 one that nobody uses.
	b := []byte{0, 0, 5, 2, 3, 0, 0x81, 0x01, 0x85, 0x02, 0, 9, 7, 7, 0}
	tables := pcTables{b, make([]bool, len(b))}
	for _, offset := range []int{0, 1, 6} {
		tables.keep(offset)
	}
	for i, want := range []bool{false, true, true, true, true, true, true, true, true, true, true, false, false, false, false} {
		if tables.used[i] != want {
			t.Errorf("byte %d: used %v, want %v", i, tables.used[i], want)
		}
	}
}

func TestAProgramThatIsNoneIsAnError(t *testing.T) {
	for name, b := range map[string][]byte{
		"nothing":  {},
		"no data":  {0, 'a', 's', 'm', 1, 0, 0, 0},
		"no table": {0, 'a', 's', 'm', 1, 0, 0, 0, 11, 7, 1, 0, 0x41, 8, 0x0b, 1, 42},
		"cut":      {0, 'a', 's', 'm', 1, 0, 0, 0, 11, 90, 1, 0, 0x41},
	} {
		if err := dropLines(b); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
