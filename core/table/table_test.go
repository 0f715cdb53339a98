package table

import (
	"reflect"
	"strings"
	"testing"
)

func TestRowsAreLinesWithoutComments(t *testing.T) {
	got := Rows("words", "# a comment\n\na\tb\t\r\nc\td e\tf\n", 3)
	if want := [][]string{{"a", "b", ""}, {"c", "d e", "f"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestARowOfAnotherWidthIsNamed(t *testing.T) {
	defer func() {
		if said, _ := recover().(string); !strings.Contains(said, "words: a row has 2 columns and not 3: a\tb") {
			t.Errorf("it says %q", said)
		}
	}()
	Rows("words", "a\tb\n", 3)
}
