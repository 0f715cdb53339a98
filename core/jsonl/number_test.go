package jsonl

import (
	"math/big"
	"strconv"
	"strings"
	"testing"
)

// exactInt is Int by way of rational numbers.
func exactInt(text string) (int64, bool) {
	if k := strings.IndexAny(text, "eE"); k >= 0 {
		if e, err := strconv.Atoi(text[k+1:]); err != nil || e > 2000 || e < -2000 {
			return 0, false
		}
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok || !r.IsInt() || !r.Num().IsInt64() {
		return 0, false
	}
	return r.Num().Int64(), true
}

func TestIntTakesIntegersHoweverWritten(t *testing.T) {
	for _, c := range []struct {
		text string
		want int64
		ok   bool
	}{
		{"0", 0, true}, {"-0", 0, true}, {"0.0", 0, true}, {"0e5", 0, true}, {"7", 7, true}, {"-7", -7, true},
		{"1e3", 1000, true}, {"1.0", 1, true}, {"1.50e1", 15, true}, {"1200e-2", 12, true}, {"10.00", 10, true},
		{"1e-1", 0, false}, {"1.5", 0, false}, {"15e-1", 0, false}, {"0e99999999999999999999", 0, true},
		{"999999999999999999", 999999999999999999, true}, {"1000000000000000000", 1000000000000000000, true},
		{"9223372036854775807", 1<<63 - 1, true}, {"9223372036854775808", 0, false},
		{"-9223372036854775808", -1 << 63, true}, {"-9223372036854775809", 0, false},
		{"9223372036854775807.00", 1<<63 - 1, true}, {"922337203685477580.7e1", 1<<63 - 1, true},
		{"18446744073709551616", 0, false}, {"18446744073709551619", 0, false}, {"1e18", 1e18, true}, {"1e19", 0, false},
		{"1e99999999999999999999", 0, false}, {"1e-99999999999999999999", 0, false},
		{"1" + strings.Repeat("0", 30) + "e-30", 1, true}, {"1" + strings.Repeat("0", 1100), 0, false},
		{`"1"`, 0, false}, {"true", 0, false}, {"[1]", 0, false}, {"null", 0, false},
	} {
		for _, around := range []string{"", " "} {
			inside(t, around+c.text+around, func(s *Scanner) {
				if got, ok := s.Int(); got != c.want || ok != c.ok {
					t.Errorf("%s: got %d, %v, want %d, %v", c.text, got, ok, c.want, c.ok)
				}
			})
		}
	}
}

func TestFloatTakesWhatAFloatCanHold(t *testing.T) {
	for _, c := range []struct {
		text string
		want float64
		ok   bool
	}{
		{"0", 0, true}, {"1.5", 1.5, true}, {"-2e-3", -0.002, true}, {"12345678901234567890", 12345678901234567890, true},
		{"5e-324", 5e-324, true}, {`"1.5"`, 0, false}, {"{}", 0, false},
	} {
		inside(t, c.text, func(s *Scanner) {
			if got, ok := s.Float(); got != c.want || ok != c.ok {
				t.Errorf("%s: got %v, %v, want %v, %v", c.text, got, ok, c.want, c.ok)
			}
		})
	}
	inside(t, "1e400", func(s *Scanner) {
		if _, ok := s.Float(); ok {
			t.Error("1e400 is no float64")
		}
	})
}

func TestBoolTakesNothingElse(t *testing.T) {
	for text, want := range map[string][2]bool{"true": {true, true}, "false": {false, true}, "null": {}, "1": {}, `"true"`: {}} {
		inside(t, text, func(s *Scanner) {
			if v, ok := s.Bool(); v != want[0] || ok != want[1] {
				t.Errorf("%s: got %v, %v", text, v, ok)
			}
		})
	}
}

// The lengths are what Node's JSON.stringify(JSON.parse(text)) has.
func TestNumbersCountAsJavaScriptWritesThem(t *testing.T) {
	for _, c := range []struct{ text, written string }{
		{"0", "0"}, {"-0", "0"}, {"-0.0", "0"}, {"1.0", "1"}, {"1e3", "1000"}, {"-1.50", "-1.5"},
		{"1e21", "1e+21"}, {"123e19", "1.23e+21"}, {"1e20", "100000000000000000000"}, {"-1e21", "-1e+21"},
		{"0.000001", "0.000001"}, {"0.0000001", "1e-7"}, {"1.25e-7", "1.25e-7"}, {"12.5e-10", "1.25e-9"}, {"0.00012", "0.00012"},
		{"9007199254740993", "9007199254740992"}, {"123456789012345678", "123456789012345680"},
		{"1e400", "null"}, {"-1e400", "null"}, {"1e-400", "0"}, {"5e-324", "5e-324"}, {"1.7976931348623157e308", "1.7976931348623157e+308"},
		{"0.1", "0.1"}, {"100", "100"}, {"100.25", "100.25"}, {"1e2", "100"}, {"123456789012345", "123456789012345"},
		{"-123456789012345", "-123456789012345"}, {"4.35e0", "4.35"}, {"33.333333333333333333", "33.333333333333336"},
	} {
		inside(t, c.text, func(s *Scanner) {
			if got := s.JSONUnits(); got != int64(len(c.written)) {
				t.Errorf("%s: got %d units, JavaScript writes %s", c.text, got, c.written)
			}
		})
	}
	for text, want := range map[string]int64{
		strings.Repeat("7", 5000): 4, "-" + strings.Repeat("7", 5000): 4, "0." + strings.Repeat("3", 5000): 18,
		strings.Repeat("7", 1024) + ".5": 4, strings.Repeat("7", 1023) + "e5": 4,
	} {
		inside(t, text, func(s *Scanner) {
			if got := s.JSONUnits(); got != want {
				t.Errorf("%.20s… counts %d, want %d", text, got, want)
			}
		})
		inside(t, text, func(s *Scanner) {
			if _, ok := s.Int(); ok {
				t.Errorf("%.20s… is no integer of 64 bits", text)
			}
		})
	}
}
