package compaction

import "testing"

var fuzzKinds = []string{Compaction, Clear, Rewind, ModelSwitch, ContextEdit}

// FuzzFind: whatever the sizes and the marks, each mark is one boundary, in order; a drop without one is above the threshold,
// between two reported requests without a mark between them, and no request is on the low side of two.
func FuzzFind(f *testing.F) {
	f.Add([]byte{180, 5, 0, 182, 60, 30, 20}, []byte{3, 1, 4, 3}, byte(50))
	f.Add([]byte{100, 60, 30, 90, 20, 19}, []byte{0, 0, 2, 4, 2, 3}, byte(50))
	f.Fuzz(func(t *testing.T, sizes, where []byte, percent byte) {
		threshold := float64(percent%98+1) / 100
		prompts := make([]int64, len(sizes))
		for i, s := range sizes {
			if prompts[i] = int64(s); s == 0 {
				prompts[i] = Unknown
			}
		}
		var marks []Mark
		at := 0
		for i := 0; i+1 < len(where); i += 2 {
			at += int(where[i] % 8)
			kind := fuzzKinds[int(where[i+1])%len(fuzzKinds)]
			marks = append(marks, Mark{kind, kind != Rewind && kind != ModelSwitch, at})
		}
		next, last := 0, -1
		for _, b := range Find(prompts, marks, threshold) {
			if b.Before >= 0 && b.From != prompts[b.Before] || b.After >= 0 && b.To != prompts[b.After] || b.Above && b.Ratio() <= threshold {
				t.Fatalf("%+v has other figures than %v", b, prompts)
			}
			if b.Mark >= 0 {
				if b.Mark != next {
					t.Fatalf("mark %d comes when %d should", b.Mark, next)
				}
				next++
				continue
			}
			if !b.Above || b.Before < 0 || b.After <= b.Before || b.Ratio() <= threshold || b.After <= last {
				t.Fatalf("%+v is no drop of %v", b, prompts)
			}
			last = b.After
			for _, m := range marks {
				if m.Requests > b.Before && m.Requests <= b.After {
					t.Fatalf("%+v goes over the mark %+v", b, m)
				}
			}
		}
		if next != len(marks) {
			t.Fatalf("%d of %d marks are boundaries", next, len(marks))
		}
	})
}
