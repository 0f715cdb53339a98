package wire

import (
	"math"
	"reflect"
	"strings"
	"testing"
)

type inner struct {
	Name string
	N    int
}

type message struct {
	OK      bool
	Small   uint8
	Signed  int64
	Ratio   float64
	Text    string
	Column  []int64
	Raw     []byte
	Names   []string
	Inners  []inner
	Nothing []int64
	Ptr     *inner
	None    *inner
}

func sample() message {
	return message{
		OK: true, Small: 200, Signed: math.MinInt64, Ratio: -0.25, Text: "é\x00<b>",
		Column: []int64{0, -1, 1 << 60}, Raw: []byte{0, 255}, Names: []string{"", "a"},
		Inners: []inner{{"x", 1}, {"", -2}}, Ptr: &inner{"p", 7},
	}
}

func TestWhatIsSentComesBack(t *testing.T) {
	var got message
	if err := Decode(Append(nil, sample()), &got); err != nil {
		t.Fatal(err)
	}
	if want := sample(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestSmallNumbersCostAByte(t *testing.T) {
	if got := len(Append(nil, []int64{1, 2, 3, -4})); got != 5 {
		t.Errorf("four small numbers take %d bytes, want 5: one for the length and one each", got)
	}
}

func TestDamagedBytesAreAnError(t *testing.T) {
	whole := Append(nil, sample())
	for n := range whole {
		var m message
		if err := Decode(whole[:n], &m); err == nil {
			t.Errorf("the first %d of %d bytes decoded without an error", n, len(whole))
		}
	}
	var m message
	if err := Decode(append(whole, 0), &m); err == nil || !strings.Contains(err.Error(), "1 bytes too many") {
		t.Errorf("one byte too many: got %v", err)
	}
	var huge []inner
	if err := Decode([]byte{0xff, 0xff, 0xff, 0xff, 0x7f}, &huge); err == nil {
		t.Error("a length beyond the message decoded without an error")
	}
}
