package adapters_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contextscope/adapters"
	"contextscope/adapters/trial"
	"contextscope/core/analysis"
	corejournal "contextscope/core/journal"
)

func TestZZ(t *testing.T) {
	dir := os.Getenv("ZZ")
	if dir == "" {
		t.Skip()
	}
	var sets [][]string
	if os.Getenv("EACH") != "" {
		m, _ := filepath.Glob(dir)
		for _, f := range m {
			sets = append(sets, []string{f})
		}
	} else {
		var all []string
		filepath.Walk(dir, func(p string, fi os.FileInfo, err error) error {
			if err == nil && !fi.IsDir() {
				all = append(all, p)
			}
			return nil
		})
		sets = append(sets, all)
	}
	for _, set := range sets {
		l := adapters.NewLibrary()
		for _, f := range set {
			b, _ := os.Open(f)
			rel, _ := filepath.Rel(dir, f)
			if err := l.Read(adapters.Input{Name: filepath.Base(f), Path: rel}, b); err != nil {
				t.Fatal(err)
			}
		}
		a := l.Settle()
		list := a.List(analysis.Options{})
		for _, in := range list.Inputs {
			fmt.Printf("INPUT %s %s (%s) bytes=%d lines=%d records=%d malformed=%d dup=%d unknown=%v refused=%v\n", in.Name, in.Format, in.Reason, in.Bytes, in.Lines, in.Records, in.Malformed, in.Duplicate, in.Unknown, in.Refused)
			for _, w := range in.Warnings {
				fmt.Println("   WARN", w.Code, w.Line, w.Message)
			}
		}
		for i, s := range a.Sessions {
			fmt.Printf("SESSION %d %q title=%q role=%q parent=%q call=%q version=%q requests=%d calls=%d snaps=%d changes=%d abandoned=%d copied=%d unmeasured=%v\n", i, s.ID, s.Title, s.Role, s.Parent, a.Strings.Get(s.ParentCall), s.Version, len(s.Requests), len(s.Calls), len(s.Snapshots), s.Changes.Len(), s.Abandoned, s.Copied, s.Unmeasured)
			v := a.Series(i, analysis.Options{})
			for _, b := range v.Boundaries {
				fmt.Printf("   BOUNDARY %s %s sample=%d before=%d after=%d harness=%d/%d evidence=%v\n", b.Kind, b.Trigger, b.Sample, b.Before, b.After, b.HarnessTold, b.HarnessAfter, b.Evidence)
			}
			fmt.Println("   NOTES", v.Notes)
			step := 1
			if len(s.Snapshots) > 40 && os.Getenv("ALL") == "" {
				step = 12
			}
			low := int64(1 << 60)
			for k := range s.Snapshots {
				n := &s.Snapshots[k]
				if n.Reported != analysis.Unknown {
					low = min(low, n.Reported-n.Sum())
				}
				near := false
				for _, b := range v.Boundaries {
					near = near || k >= b.Sample-2 && k <= b.Sample+1
				}
				if k%step == 0 || near || k == len(s.Snapshots)-1 {
					fmt.Printf("   %3d r%d %s est=%d %s\n", k, v.Request[k], corejournal.AppendTime(nil, n.At), n.Sum(), trial.Snapshot(n))
				}
			}
			fmt.Println("   LOWEST reported-estimated", low)
			if os.Getenv("CALLS") != "" {
				for _, c := range s.Calls {
					fmt.Printf("   CALL %s %s %q failed=%v script=%v agent=%s\n", a.Strings.Get(c.ID), a.Strings.Get(c.Name), a.Strings.Get(c.Detail), c.Failed, c.Script, a.Strings.Get(c.Agent))
				}
			}
		}
	}
	_ = strings.TrimSpace
}
