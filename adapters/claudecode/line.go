package claudecode

import (
	"bytes"
	"encoding/binary"

	"contextscope/adapters/argument"
	"contextscope/core/facts"
	"contextscope/core/journal"
	"contextscope/core/jsonl"
)

// Scan returns the function that reads the values of one input: it fills the record and reports whether to keep it.
func Scan(in *journal.Input) func(*jsonl.Scanner, *journal.Record) bool {
	d := &decoder{in: in, strings: in.Strings}
	d.calls = argument.Reader{Strings: in.Strings, Names: details, Short: firstLine, List: d.facts.Todos}
	return d.read
}

// decoder reads lines. What it remembers from line to line only saves space.
type decoder struct {
	calls                                                argument.Reader
	in                                                   *journal.Input
	strings                                              *journal.Strings
	s                                                    *jsonl.Scanner
	r                                                    *journal.Record
	line                                                 line
	facts                                                facts.Collector
	version                                              journal.Ref // last one noted, and of which session
	noted                                                journal.Ref
	dirOf                                                journal.Ref // session whose folder was noted last
	lastSession, lastVersion, lastModel, lastID, lastDir journal.Ref
}

// line is what one line says outside of its content.
type line struct {
	kind, subtype [40]byte
	kindLen       int
	subtypeLen    int
	response      journal.Usage // of an assistant's message
	requestID     uint64
	messageID     []byte
	role          byte // 'u'ser, 'a'ssistant
	usage         bool
	stopped       bool
	meta          bool
	summary       bool
	version       journal.Ref
	dir           journal.Ref
	logical       uint64
	spawned       journal.Ref
	firstResult   journal.Ref
	results       int
	text          []byte // beginning of a local command's output
	title         journal.Ref
	titleAttr     journal.Attr
	agentType     journal.Ref // of a .meta.json
	toolUse       journal.Ref
	isMetaFile    bool
	local         bool // its ids are unique in its session only
	cleared       bool // /clear was typed
	standing      bool // an attachment with a text that stands: rules, a to-do list
}

func (d *decoder) read(s *jsonl.Scanner, r *journal.Record) bool {
	d.s, d.r = s, r
	d.facts.Begin()
	d.line = line{messageID: d.line.messageID[:0], text: d.line.text[:0]}
	if !s.Object() {
		d.in.Unknown([]byte("(not an object)"))
		return false
	}
	for {
		k := s.Key()
		if k == nil {
			break
		}
		d.field(k)
	}
	if s.Failed() {
		return false
	}
	if d.line.local {
		r.Flags |= journal.LocalID
	}
	if !d.finish() {
		return false
	}
	d.facts.Finish(d.in, r)
	return true
}

// field reads one member of the line.
func (d *decoder) field(k []byte) {
	s, r, l := d.s, d.r, &d.line
	switch string(k) {
	case "type":
		v, _ := s.Str(len(l.kind))
		l.kindLen = copy(l.kind[:], v)
	case "subtype":
		v, _ := s.Str(len(l.subtype))
		l.subtypeLen = copy(l.subtype[:], v)
	case "uuid":
		r.ID = d.recordID()
	case "parentUuid":
		r.Parent = d.recordID()
	case "logicalParentUuid":
		l.logical = d.hash()
	case "sessionId", "session_id":
		r.Session = d.again(&d.lastSession)
	case "agentId":
		r.Agent = d.ref()
	case "timestamp":
		v, _ := s.Str(40)
		r.At, _ = journal.ParseTime(v)
	case "version":
		l.version = d.again(&d.lastVersion)
	case "cwd":
		l.dir = d.again(&d.lastDir)
	case "requestId":
		l.requestID = d.hash()
	case "isSidechain":
		if v, _ := s.Bool(); v {
			r.Flags |= journal.Sidechain
		}
	case "forkedFrom":
		if s.Kind() != jsonl.Null {
			r.Flags |= journal.Forked
		}
		s.Skip()
	case "isMeta":
		l.meta, _ = s.Bool()
	case "isCompactSummary":
		l.summary, _ = s.Bool()
	case "message":
		d.message()
	case "toolUseResult":
		d.toolUseResult()
	case "attachment":
		d.attachment()
	case "compactMetadata", "compact_metadata":
		d.compactMetadata()
	case "microcompactMetadata":
		d.microcompactMetadata()
	case "content":
		d.systemContent()
	case "customTitle":
		l.title, l.titleAttr = d.ref(), journal.Title
	case "aiTitle":
		l.title, l.titleAttr = d.ref(), journal.AutoTitle
	case "agentType":
		l.agentType, l.isMetaFile = d.ref(), true
	case "toolUseId":
		l.toolUse, l.isMetaFile = d.ref(), true
	default:
		s.Skip()
	}
}

// recordID is hash for the id of a record. One that is no uuid is not unique in the world and counts for its session only.
func (d *decoder) recordID() uint64 {
	v, _ := d.s.Str(256)
	d.line.local = d.line.local || len(v) > 0 && len(v) < shortestUnique
	return journal.Hash(v)
}

const shortestUnique = 16

// hash reads an id and keeps its hash; 0 for anything but a string with something in it.
func (d *decoder) hash() uint64 {
	v, _ := d.s.Str(256)
	return journal.Hash(v)
}

// ref reads a short string and keeps it.
func (d *decoder) ref() journal.Ref {
	v, _ := d.s.Str(256)
	return d.strings.Put(v)
}

// again is ref for a value that is the same on most lines: it is compared with the last one before it is looked up.
func (d *decoder) again(last *journal.Ref) journal.Ref {
	v, _ := d.s.Str(256)
	if !d.strings.Same(*last, v) {
		*last = d.strings.Put(v)
	}
	return *last
}

func (l *line) is(kind string) bool { return string(l.kind[:l.kindLen]) == kind }

func (d *decoder) part(p journal.Part) { d.in.Parts.Append(p) }

// finish decides what the line is, when all of it is known.
func (d *decoder) finish() bool {
	r, l := d.r, &d.line
	switch {
	case l.is("assistant"), l.kindLen == 0 && l.role == 'a':
		return d.finishAssistant()
	case l.is("user"), l.kindLen == 0 && l.role == 'u':
		return d.finishUser()
	case l.is("attachment"):
		r.Kind = journal.Injected
	case l.is("system"):
		d.finishSystem()
	case l.is("custom-title"), l.is("ai-title"):
		if l.title == 0 {
			return false
		}
		r.Kind = journal.Name
		d.part(journal.Part{Kind: journal.Attribute, Attr: l.titleAttr, Label: l.title})
		return true
	case l.is("progress"):
		r.Kind = journal.Link
	case l.kindLen == 0 && l.isMetaFile:
		r.Kind = journal.Header
		d.part(journal.Part{Kind: journal.Attribute, Attr: journal.Role, Label: l.agentType})
		d.part(journal.Part{Kind: journal.Attribute, Attr: journal.ParentCall, Label: l.toolUse})
		return true
	default:
		if !knownState[string(l.kind[:l.kindLen])] {
			d.in.Unknown(l.kind[:l.kindLen])
		}
		r.Kind = journal.Link
	}
	d.noteVersion()
	return r.ID != 0
}

// knownState are the types of line that hold the state of the interface and nothing that the model sees.
var knownState = map[string]bool{
	"summary": true, "file-history-snapshot": true, "file-history-delta": true, "queue-operation": true,
	"last-prompt": true, "agent-name": true, "agent-color": true, "agent-setting": true, "mode": true,
	"permission-mode": true, "pr-link": true, "worktree-state": true, "relocated": true, "frame-link": true,
	"bridge-session": true, "atis-latch": true, "cost-state": true, "tag": true, "continued-in": true,
	"content-replacement": true, "fork-context-ref": true, "started": true, "result": true,
}

// noteVersion keeps the harness's version once for as long as it stays the same, and the folder that a session began in.
func (d *decoder) noteVersion() {
	if l := &d.line; l.dir != 0 && d.r.Session != d.dirOf && d.r.ID != 0 {
		d.dirOf = d.r.Session
		d.part(journal.Part{Kind: journal.Attribute, Attr: journal.WorkingDir, Label: l.dir})
	}
	if l := &d.line; l.version != 0 && (l.version != d.version || d.r.Session != d.noted) && d.r.ID != 0 {
		d.version, d.noted = l.version, d.r.Session
		d.part(journal.Part{Kind: journal.Attribute, Attr: journal.Version, Label: l.version})
	}
}

func (d *decoder) finishAssistant() bool {
	r, l := d.r, &d.line
	r.Kind = journal.Response
	if d.strings.Is(l.response.Model, "<synthetic>") {
		// Written in the model's place after an error or an interruption: no request was made, and it isn't sent.
		d.in.Parts.Truncate(int(r.First))
		r.Flags |= journal.Synthetic
	}
	if !d.strings.Same(d.lastID, l.messageID) {
		d.lastID = d.strings.Put(l.messageID)
	}
	l.response.ID = d.lastID
	l.response.Key = journal.Hash(l.messageID)
	if l.requestID != 0 {
		l.response.Key = l.response.Key*31 + l.requestID
	}
	if l.usage {
		r.Flags |= journal.HasUsage
	}
	if !l.stopped {
		r.Flags |= journal.OpenEnded
	}
	r.Usage = uint32(d.in.Usages.Append(l.response))
	d.identify(l.response.Key)
	d.noteVersion()
	return r.ID != 0 || l.usage || d.in.Parts.Len() > int(r.First)
}

// identify gives a line without a uuid, as very old versions wrote them, an id made of when it was written and what it
// says, so that it counts once when it comes again. Without a time nothing tells a repetition from a second saying.
func (d *decoder) identify(key uint64) {
	r := d.r
	if r.ID != 0 || r.At == 0 {
		return
	}
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:], uint64(r.At))
	h := key ^ journal.Hash(b[:8])
	for i := int(r.First); i < d.in.Parts.Len(); i++ {
		p := d.in.Parts.At(i)
		binary.LittleEndian.PutUint64(b[:], h)
		binary.LittleEndian.PutUint64(b[8:], uint64(p.Units)|uint64(p.ID)<<32)
		h = journal.Hash(b[:])
	}
	r.ID = h
}

func (d *decoder) finishUser() bool {
	r, l := d.r, &d.line
	r.Kind = journal.User
	for i := int(r.First); i < d.in.Parts.Len(); i++ {
		p := d.in.Parts.At(i)
		if p.Kind != journal.Item || p.Category != journal.Prompts {
			continue
		}
		switch {
		case l.summary:
			p.Category = journal.Summaries
		case l.meta:
			p.Category = journal.Overhead
		default:
			r.Flags |= journal.Typed
		}
	}
	if l.summary {
		r.Flags |= journal.Summary
		r.Flags &^= journal.Typed
	}
	if l.results > 0 {
		r.Flags &^= journal.Typed
	}
	if l.cleared {
		r.Flags |= journal.Cleared
	}
	if l.spawned != 0 && l.firstResult != 0 {
		d.part(journal.Part{Kind: journal.Spawned, ID: l.firstResult, Label: l.spawned})
	}
	d.report()
	d.identify(uint64(r.Kind))
	d.noteVersion()
	return r.ID != 0 || d.in.Parts.Len() > int(r.First)
}

func (d *decoder) finishSystem() {
	r, l := d.r, &d.line
	r.Kind = journal.Link
	switch string(l.subtype[:l.subtypeLen]) {
	case "compact_boundary":
		r.Kind = journal.Boundary
		d.facts.Claim(facts.Summary)
		if r.Parent == 0 {
			r.Parent = l.logical
		}
	case "microcompact_boundary":
		r.Kind = journal.Trim
	case "local_command":
		d.report()
	}
}

// report turns the /context report of a local command's output into measured parts.
func (d *decoder) report() {
	text := d.line.text
	if !bytes.Contains(text, []byte("<local-command-stdout>")) {
		return
	}
	rep, found := parseContextReport(text)
	if !found {
		return
	}
	if !rep.ok() {
		d.in.Warnings.Add(journal.Warning{Code: journal.WarnReport, Line: d.s.Line(),
			Message: "a /context report could not be read; its text counts as an ordinary prompt",
			Hint:    "please report the layout of this version, without its content"})
		return
	}
	d.r.Kind = journal.Report
	attr := func(a journal.Attr, n int64) {
		if n > 0 {
			d.part(journal.Part{Kind: journal.Attribute, Attr: a, Units: uint32(n)})
		}
	}
	attr(journal.Window, rep.window)
	attr(journal.Effective, rep.effective())
	attr(journal.SelfReported, rep.used)
	if len(rep.model) > 0 {
		d.part(journal.Part{Kind: journal.Attribute, Attr: journal.Model, Label: d.strings.Put(rep.model)})
	}
	for _, row := range rep.rows {
		d.part(journal.Part{Kind: journal.Measured, Category: reportCategory(row.name), Units: uint32(row.tokens), Label: d.strings.Put([]byte(row.name))})
	}
}
