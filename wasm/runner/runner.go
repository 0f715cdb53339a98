// Package runner is contextscope's command line: it reads files by their paths and prints what the page shows. It knows
// no JavaScript: package main hands it arguments and streams, and the file system is that of package os, which in Node
// is Node's.
//
// Results go to standard output and everything else to standard error. The exit code is 0 when something was analysed,
// 1 when nothing could be, and 2 when the command line was not understood.
package runner

import (
	"errors"
	"fmt"
	"io"
	"syscall"
	"time"
)

// Version is what --version prints.
const Version = "0.1.0"

// Exit codes.
const (
	exitDone    = 0
	exitNothing = 1
	exitMisuse  = 2
)

// Process is what a program gets from the outside.
type Process struct {
	Args     []string // without the program's name
	Stdin    io.Reader
	Stdout   io.Writer
	Stderr   io.Writer
	Terminal bool   // Stdout is one
	Page     string // where the page in one file lies
}

// Run carries out a command line and returns the exit code.
func Run(p Process) int {
	p.Stdin, p.Stdout, p.Stderr = patient{r: p.Stdin}, patient{w: p.Stdout}, patient{w: p.Stderr}
	req, err := parse(p.Args)
	if err != nil {
		fmt.Fprintf(p.Stderr, "contextscope: %v\nTry --help.\n", err)
		return exitMisuse
	}
	switch req.command {
	case "help":
		return p.print([]byte(usage))
	case "version":
		return p.print([]byte("contextscope " + Version + "\n"))
	case "compaction":
		return p.compaction(req)
	case "lint":
		return p.lint(req)
	case "checkpoint":
		return p.checkpoint(req)
	case "report":
		return p.report(req)
	case "trace":
		return p.trace(req)
	}
	return p.analyze(req)
}

// print writes a result. A reader that has gone away, as head does, is no reason to complain.
func (p Process) print(b []byte) int {
	if _, err := p.Stdout.Write(b); err != nil {
		if !errors.Is(err, syscall.EPIPE) {
			fmt.Fprintf(p.Stderr, "contextscope: the result could not be written: %v\n", err)
		}
		return exitNothing
	}
	return exitDone
}

// patient waits for a stream that is not ready yet: pipes and terminals of Node may be of the kind that does not wait by
// itself.
type patient struct {
	r io.Reader
	w io.Writer
}

const patience = 2 * time.Millisecond

func (s patient) Read(p []byte) (int, error) {
	for {
		n, err := s.r.Read(p)
		if !errors.Is(err, syscall.EAGAIN) {
			return n, err
		}
		if n > 0 {
			return n, nil
		}
		time.Sleep(patience)
	}
}

func (s patient) Write(p []byte) (int, error) {
	done := 0
	for {
		n, err := s.w.Write(p[done:])
		done += n
		if !errors.Is(err, syscall.EAGAIN) {
			return done, err
		}
		time.Sleep(patience)
	}
}

// where the harnesses keep their journals.
const where = `Claude Code keeps its journals in ~/.claude/projects, Codex in ~/.codex/sessions, Pi in ~/.pi/agent/sessions, Muse in
~/.local/share/muse/sessions, agent-strace in .agent-traces of the project.`

const usage = `contextscope shows what filled the context of a coding agent, from its own journals.

  node contextscope.mjs analyze [FLAGS] PATH...      what is in the sessions
  node contextscope.mjs compaction [FLAGS] PATH...   what compactions threw away
  node contextscope.mjs lint [FLAGS] PATH...         loops, retries, redundant reads
  node contextscope.mjs checkpoint [FLAGS] PATH...   what a fresh context needs to know
  node contextscope.mjs report [FLAGS] PATH...       one HTML file to pass on, without any script
                                                     (with --interactive: the page itself with the sessions inside)
  node contextscope.mjs trace [FLAGS] PATH...        a Perfetto trace

A PATH is a journal, a trace, an archive of them (zip, gzip, zstd), a folder that is searched, or - for standard input.
` + where + `

  --json            print the Analysis document (with analyze the default when the output is no terminal)
  --pretty          the same, with line breaks and indentation; analyze only
  --session ID      only the session with that id, or with an id that begins so; compaction takes the newest main session
                    unless it is told another one
  --window TOKENS   the size of the context window, where you know it better than the journal
  --compaction-threshold R
                    the share of a prompt whose loss counts as a compaction, above 0 and below 1, 0.5 unless given
  --include LIST    pass on content too: titles, paths, prompts, facts, records, separated by commas
  --keep LIST       home, hosts, emails: leave them unmasked in included content; secrets are always masked
  --version         print the version
  --help            print this

checkpoint prints what a fresh context needs to know of the newest main session: task, constraints, files, decisions,
open to-dos and the state, as Markdown. With --brief it prints only the constraints and decisions that the last compaction
likely dropped, ready to be given back to the agent. -o FILE writes it to a file.

compaction reports on the newest main session, or on that of --session:

  --diff            what survived each compaction, and what it likely dropped
  --behavior-diff   what the agent did before and after it, over --behavior-window N records (50), or requests with 20r

lint looks for loops, retries, redundant reads and the like in the newest main session, or in that of --session:

  --strict          a warning gives exit code 1, too
  --format text|json|sarif|junit
                    how the findings are printed, text unless given
  --config FILE     settings of the rules as JSON: {"tool-loop": {"threshold": 8}, "no-output": {"enabled": false}}
  --baseline FILE   findings that are known and don't count: what --format json or sarif printed earlier

Without --json a table of the sessions is printed, or the report on the compactions of one. Figures that the provider
reported stand as they are, estimated ones behind a ~. Results go to standard output, warnings to standard error.

Exit codes: 0 something was analysed, also when no compaction was found, 1 nothing could be or lint found an error, 2 the
command line was not understood.
`
