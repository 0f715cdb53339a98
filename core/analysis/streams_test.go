package analysis

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"contextscope/core/composition"
	"contextscope/core/journal"
)

// asked adds a request of so many tokens at a second to a session, at an offset of its first input.
func asked(s *Session, second int64, tokens int64, model string) {
	at := second * 1e9
	src := journal.Source{Input: s.Inputs[0], Offset: int64(len(s.Requests)) * 100}
	s.Put(composition.Item{ID: composition.Nth(uint64(second)+1, 0), Tokens: 10, Category: journal.Prompts})
	m := composition.Moment{At: at, Stage: composition.TranscriptObserved, Reported: tokens, Window: Unknown, Threshold: Unknown, Effective: Unknown}
	n := s.Observe(m, OnRequest, len(s.Requests), src)
	s.Requests = append(s.Requests, Request{At: at, Model: s.strings.Put([]byte(model)), Input: tokens, Output: Unknown, CacheRead: Unknown,
		CacheWrite: Unknown, Window: Unknown, Source: src, Snapshot: int32(n)})
	s.Saw(at)
}

// braided are two sessions: s with the streams main, x and y, and one that calls itself a child of the stream x.
func braided() *Analysis {
	a := New(&journal.Strings{}, []*journal.Input{{}, {Index: 1}}, nil)
	main := a.NewSession("h", "s", 0)
	x, y := a.NewStream(main, "x", 1), a.NewStream(main, "y", 0)
	child := a.NewSession("h", "child", 1)
	child.Parent = "s/x"
	child.ParentCall = a.Strings.Put([]byte("call"))
	asked(main, 10, 1000, "m1")
	asked(main, 40, 2000, "m1")
	asked(main, 30, 3000, "m1") // its clock goes back
	asked(x, 20, 160000, "m2")
	asked(x, 50, 20000, "m2")
	asked(y, 5, 100000, "m2")
	asked(y, 45, 10000, "m2")
	x.AddCall(Call{ID: child.ParentCall, Name: a.Strings.Put([]byte("Agent")), At: 21e9})
	asked(child, 60, 7, "m3")
	for _, s := range []*Session{y, main, child, x} {
		a.Keep(s)
	}
	a.Arrange()
	return a
}

func TestAStreamIsARowOfItsOwn(t *testing.T) {
	a := braided()
	var got []string
	for _, r := range a.List(Options{}).Sessions {
		got = append(got, fmt.Sprintf("%s %q of %d: %d, %d compactions", r.ID, r.Role, r.Parent, r.PeakTokens, r.Compactions))
	}
	want := []string{`s "" of -1: 3000, 0 compactions`, `s/y "y" of 0: 100000, 1 compactions`, `s/x "x" of 0: 160000, 1 compactions`, `child "" of 0: 7, 0 compactions`}
	if !slices.Equal(got, want) {
		t.Errorf("rows:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestADocumentHasTheStreamsOfASessionTogether(t *testing.T) {
	a := braided()
	var doc struct {
		Sessions []struct {
			ID, Parent, Role string
			Models           []string
			StartedAt        string `json:"started_at"`
			EndedAt          string `json:"ended_at"`
			Inputs           []int
			Requests         []struct {
				Stream   string
				Reported int64 `json:"reported_tokens"`
			}
			Calls []struct {
				Child string `json:"child_session"`
			}
			Snapshots []struct {
				Reported int64 `json:"reported_tokens"`
				Event    struct{ Index int }
			}
			Compactions []struct {
				Sequence int
				Stream   string
				Dropped  int64 `json:"tokens_dropped"`
			}
		}
	}
	if err := json.Unmarshal(a.AppendJSON(nil, Options{}), &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Sessions) != 2 || doc.Sessions[1].ID != "child" || doc.Sessions[1].Parent != "s" {
		t.Fatalf("sessions: %+v", doc.Sessions)
	}
	s := doc.Sessions[0]
	if s.ID != "s" || s.Parent != "" || s.Role != "" || !slices.Equal(s.Models, []string{"m1", "m2"}) || !slices.Equal(s.Inputs, []int{0, 1}) ||
		s.StartedAt != "1970-01-01T00:00:05Z" || s.EndedAt != "1970-01-01T00:00:50Z" {
		t.Errorf("session: %+v", s)
	}
	var got []string
	for i, q := range s.Requests {
		got = append(got, fmt.Sprintf("%s %d", q.Stream, q.Reported))
		if n := s.Snapshots[i]; s.Requests[n.Event.Index].Reported != n.Reported {
			t.Errorf("snapshot %d hangs on request %d", i, n.Event.Index)
		}
	}
	want := []string{"y 100000", "main 1000", "x 160000", "main 2000", "main 3000", "y 10000", "x 20000"}
	if !slices.Equal(got, want) {
		t.Errorf("requests: %q, want %q", got, want)
	}
	if fmt.Sprint(s.Compactions) != "[{1 y 90000} {2 x 140000}]" {
		t.Errorf("compactions: %v", s.Compactions)
	}
	if len(s.Calls) != 1 || s.Calls[0].Child != "child" {
		t.Errorf("calls: %v", s.Calls)
	}
}

func TestChoosingAStreamIsChoosingItsSessionOnce(t *testing.T) {
	a := braided()
	one := a.AppendJSON(nil, Options{Sessions: []int{0}})
	for _, chosen := range [][]int{{1}, {2, 0, 1}} {
		if got := a.AppendJSON(nil, Options{Sessions: chosen}); string(got) != string(one) {
			t.Errorf("%v gives another document than the session", chosen)
		}
	}
}

// A session may have the id that a stream of another one is listed under; the document's ids are not touched by that.
func TestIdsStayUniqueBesideStreams(t *testing.T) {
	a := New(&journal.Strings{}, []*journal.Input{{}}, nil)
	for range 2 {
		s := a.NewSession("h", "s", 0)
		a.Keep(a.NewStream(s, "x", 0))
		a.Keep(s)
	}
	a.Keep(a.NewSession("h", "s/x", 0))
	a.Arrange()
	var got []string
	for _, s := range a.Sessions {
		got = append(got, s.ID+" of "+s.Parent)
	}
	if want := []string{"s of ", "s/x:2 of s", "s:2 of ", "s:2/x of s:2", "s/x of "}; !slices.Equal(got, want) {
		t.Errorf("ids: %q, want %q", got, want)
	}
}
