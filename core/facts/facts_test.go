package facts

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"contextscope/core/journal"
)

// asked are the constraints and the goal that a person's text tells.
func asked(text string) (goal string, constraints []string) {
	f := finder{found: func(kind journal.FactKind, _ journal.FactFlags, text string) {
		text = strings.Clone(text)
		if kind == journal.TaskGoal {
			goal = text
		} else {
			constraints = append(constraints, text)
		}
	}}
	f.typed(text)
	return goal, constraints
}

func decided(text string) (out []string) {
	f := finder{found: func(_ journal.FactKind, _ journal.FactFlags, text string) { out = append(out, strings.Clone(text)) }}
	f.said(text)
	return out
}

func expectConstraints(t *testing.T, text string, want ...string) {
	t.Helper()
	if _, got := asked(text); !slices.Equal(got, want) {
		t.Errorf("%q asks for %q, want %q", text, got, want)
	}
}

// expectStatus looks for a fact in a summary.
func expectStatus(t *testing.T, kind journal.FactKind, fact, summary string, want Status, known ...string) Finding {
	t.Helper()
	c := NewContext(known)
	c.Add(summary, journal.OfSummary)
	got := c.Find(c.Want(kind, fact))
	if got.Status != want {
		t.Errorf("%q in %q is %s (%s), want %s", fact, summary, got.Status, got.Evidence, want)
	}
	return got
}

func TestW21PunctuationIsNoPartOfAWord(t *testing.T) {
	for _, summary := range []string{"Do not modify src/auth.py, and keep the API stable.", "Rules: do not modify src/auth.py", "“Do not modify `src/auth.py`”!"} {
		expectStatus(t, journal.Constraint, "Do not modify src/auth.py.", summary, InSummary)
	}
	expectStatus(t, journal.Constraint, "Never log client IP addresses.", "Never log client IP addresses", InSummary)
	expectStatus(t, journal.Constraint, "Do not modify src/auth.py.", "Do not modify src/auth.go.", NotFound)
}

// TestNamesStayWhole: a name with _ in it is one word, however it is marked; the words in it are others.
func TestNamesStayWhole(t *testing.T) {
	expectStatus(t, journal.Constraint, "Never call $user_id.", "Never call user_id", InSummary)
	if got := expectStatus(t, journal.Constraint, "Never call $user_id.", "Never call the user by an id", NotFound); got.Evidence.String() != "closest: 1 of 2 words in “Never call the user by an id”" {
		t.Error(got.Evidence)
	}
}

func TestW22TheOppositeIsNotTheSame(t *testing.T) {
	got := expectStatus(t, journal.Constraint, "Do not use Redis for the session cache store.", "Use Redis for the session cache store.", NotFound)
	if !strings.Contains(got.Evidence.String(), "the other way round") {
		t.Errorf("evidence %q", got.Evidence)
	}
	expectStatus(t, journal.Constraint, "Use Redis for the session cache store.", "Do not use Redis for the session cache store.", NotFound)
	expectStatus(t, journal.Constraint, "Do not use Redis for the session cache store.", "Never use Redis for the session cache store; prefer files.", InSummary)
	expectStatus(t, journal.Constraint, "Use files instead of Redis.", "Use Redis instead of files.", NotFound)
	expectStatus(t, journal.Constraint, "Benutze nicht Redis als Cache.", "Benutze Redis als Cache.", NotFound)
	expectStatus(t, journal.Constraint, "不要使用缓存模块", "使用缓存模块", NotFound)
}

func TestW21MarksAroundAWordBeginNoClause(t *testing.T) {
	for _, fact := range []string{"Do not modify `src/auth.py`.", "do not modify `src/auth.py`", "do not modify src/auth.py"} {
		for _, summary := range []string{"Do not modify `src/auth.py`", "do not modify `src/auth.py`", "do not modify src/auth.py"} {
			expectStatus(t, journal.Constraint, fact, summary, InSummary)
		}
	}
}

func TestW23TwoNeighbouringWordsAreNotEnough(t *testing.T) {
	expectStatus(t, journal.TaskGoal, "Fix the login bug in the payment service", "payment service dashboard colours", NotFound)
	expectStatus(t, journal.TaskGoal, "Fix the login bug in the payment service", "The task is fixing the login bug in the payment service.", InSummary)
}

func TestW24PathsMatchAsWholes(t *testing.T) {
	expectStatus(t, journal.FileRead, "main.go", "domain.go was read", NotFound)
	expectStatus(t, journal.FileRead, "src/a.py", "lib/src/a.py was read", NotFound)
	expectStatus(t, journal.FileRead, "src/auth.py", "Do not modify src/auth.py.", NotFound)
	expectStatus(t, journal.FileRead, "src/auth.py", "src/auth.py was read", InSummary)
	expectStatus(t, journal.FileRead, "src/middleware.py", "names middleware.py", InSummary, "src/middleware.py")
	expectStatus(t, journal.FileRead, "src/a.py", "a.py was read", NotFound, "src/a.py", "lib/a.py")
}

func TestW28NoiseIsNoConstraint(t *testing.T) {
	expectConstraints(t, "Here is what I get:\nError: value must be positive\nonly 3 retries left\nmust retry\n\nPlease fix it. Never retry more than twice.",
		"Never retry more than twice.")
	expectConstraints(t, "```go\n// must not be nil\nfunc f() {}\n```\nYou must use generics.", "You must use generics.")
	expectConstraints(t, "> you must do this\n| must | should |\n|---|---|\nNo new dependencies.", "No new dependencies.")
	expectConstraints(t, "Traceback (most recent call last):\n  File \"a.py\", line 3, in f\n    raise ValueError\nValueError: x should be an int\n\nfix", []string(nil)...)
	expectConstraints(t, "panic: must not happen\ngoroutine 1 [running]:\nmain.f()\n\t/a/b.go:12", []string(nil)...)
	expectConstraints(t, "<system-reminder>\nYou must never say this.\n</system-reminder>\nKeep it short.", "Keep it short.")
	expectConstraints(t, "<local-command-stdout>only 3 must</local-command-stdout>", []string(nil)...)
	expectConstraints(t, "<command-name>/fix</command-name>\n<command-args>the parser, but do not touch the lexer</command-args>", "the parser, but do not touch the lexer")
	expectConstraints(t, "[Request interrupted by user for tool use, must wait]", []string(nil)...)
	expectConstraints(t, "2026-01-01T10:00:00Z worker must restart\n10:00:01.5 should retry", []string(nil)...)
	expectConstraints(t, "src/a.go:12:3: x must be a pointer", []string(nil)...)
	expectConstraints(t, "I don't know why it fails. Should we retry? I need to see the log. It can't find the file.", []string(nil)...)
}

func TestATemplateOfACommandIsNotTyped(t *testing.T) {
	if got := string(ownWords([]byte("\n## User Input\n\n```text\nAlways write tests.\n```\n\nYou **MUST** consider it.\n"))); got != "Always write tests.\n" {
		t.Errorf("own words are %q", got)
	}
	if got := ownWords([]byte("---\nname: x\ndescription: y\n---\nYou must do it.")); len(got) != 0 {
		t.Errorf("own words are %q", got)
	}
}

func TestW29AGreetingIsNoGoal(t *testing.T) {
	for text, want := range map[string]string{
		"Hi.":                                   "",
		"Hi there! Port the parser to Go.":      "Port the parser to Go.",
		"hello claude, please\n\nFix the build": "Fix the build",
		"continue":                              "",
		"/init":                                 "",
		"你好。修复登录错误":                             "修复登录错误",
		"Bonjour !\nCorrige le bug":             "Corrige le bug",
	} {
		if got, _ := asked(text); got != want {
			t.Errorf("the goal of %q is %q, want %q", text, got, want)
		}
	}
}

func TestW31OtherLanguagesAndQuotes(t *testing.T) {
	for _, text := range []string{
		"Don’t touch the lexer.", "You can’t use globals.", "Die API darf nicht geändert werden.", "Du musst alles testen.",
		"Ne modifie pas le fichier.", "Il faut garder l’API.", "No modifiques el archivo.", "El código debe ser seguro.",
		"Não altere o ficheiro.", "O código deve ser seguro.", "Non modificare il file.", "Il codice deve essere sicuro.",
		"Je mag niet committen.", "Alle tests moeten slagen.", "Nie zmieniaj pliku.", "Kod musi być bezpieczny.",
		"Не меняй файл.", "Код должен быть безопасным.", "不要修改 auth.py", "必须使用 Redis", "auth.py を変更しないでください",
		"必ずテストを書いて", "반드시 테스트를 작성하세요", "auth.py를 수정하지 마세요",
	} {
		if _, got := asked(text); len(got) != 1 || got[0] != text {
			t.Errorf("%q asks for %q, want itself", text, got)
		}
	}
	for fact, summary := range map[string]string{
		"Don’t touch the lexer.": "Don't touch the lexer", "不要修改 auth.py": "约束：不要修改 auth.py。", "Код должен быть безопасным.": "код должен быть безопасным, тесты позже",
		"Les tests doivent passer à l’été.": "les tests doivent passer à l'été", "반드시 테스트를 작성하세요": "규칙: 반드시 테스트를 작성하세요",
	} {
		expectStatus(t, journal.Constraint, fact, summary, InSummary)
	}
	expectStatus(t, journal.Constraint, "不要修改 auth.py", "修复了登录错误", NotFound)
	if got := decided("Wir haben uns für SQLite entschieden. Das ist gut."); len(got) != 1 {
		t.Errorf("decisions %q", got)
	}
}

func TestW32ADecisionIsItsChoice(t *testing.T) {
	text := string(Decided([]byte("use LRU"), []byte("it is simple and the team knows it")))
	if text != "use LRU — because it is simple and the team knows it" {
		t.Errorf("decision %q", text)
	}
	expectStatus(t, journal.Decision, text, "The cache will use LRU.", InSummary)
	expectStatus(t, journal.Decision, text, "It is simple and the team knows it.", NotFound)
	expectStatus(t, journal.Decision, "Token bucket chosen over fixed window", "Continue with the token bucket.", InSummary)
	expectStatus(t, journal.Decision, "Token bucket chosen over fixed window", "Continue with the fixed window.", NotFound)
}

func TestW33AParaphraseShowsTheClosestSentence(t *testing.T) {
	got := expectStatus(t, journal.Constraint, "It must be Redis-compatible.", "Work goes on.\nKey decisions: token bucket algorithm, Redis storage.", NotFound)
	if want := "closest: 1 of 2 words in “Key decisions: token bucket algorithm, Redis storage.”"; got.Evidence.String() != want {
		t.Errorf("evidence %q, want %q", got.Evidence, want)
	}
	got = expectStatus(t, journal.Constraint, "Only use stdlib", "no third-party packages", NotFound)
	if got.Evidence.String() == "" {
		t.Error("no evidence")
	}
}

func TestW35PathsAreWhatTheyName(t *testing.T) {
	for _, mention := range []string{"/home/ada/app/src/a.py", "./src/a.py", "src/a.py", "file:///home/ada/app/src/a.py", "src\\a.py", "src/a.py:12"} {
		expectStatus(t, journal.FileRead, "/home/ada/app/src/a.py", mention+" was read", InSummary)
		expectStatus(t, journal.FileRead, "src/a.py", mention+" was read", InSummary)
	}
}

func TestALongSentenceIsCutAndABrokenOnePutTogether(t *testing.T) {
	_, got := asked("You must " + strings.Repeat("word ", 200))
	if len(got) != 1 || len([]rune(got[0])) != journal.MaxFact {
		t.Errorf("a long constraint has %d characters, want %d", len([]rune(got[0])), journal.MaxFact)
	}
	expectConstraints(t, "The parser of the configuration that we have in the tool\nmust never read the network.",
		"The parser of the configuration that we have in the tool must never read the network.")
	expectConstraints(t, "Port it. DO NOT touch main.go. You MUST test. Не меняй это. НЕЛЬЗЯ так.", "DO NOT touch main.go.", "You MUST test.", "Не меняй это.", "НЕЛЬЗЯ так.")
	expectConstraints(t, "Use e.g. a map. It must be small.", "It must be small.")
}

func TestWhatMayTellIsNeverPassedOver(t *testing.T) {
	for _, text := range []string{`I decided on it`, `\nDecided: x`, `so I went with x`, `é\tchosen`, `… instead of y`, `选择了 x`} {
		if !hopeful([]byte(text)) {
			t.Errorf("%q was passed over", text)
		}
	}
	for _, text := range []string{"", "All tests pass now.", "undecided", "The rather long report"} {
		if hopeful([]byte(text)) {
			t.Errorf("%q was not passed over", text)
		}
	}
}

func FuzzTexts(f *testing.F) {
	f.Add("You must.\n```\nx", "Do not use a/b.py; 不要修改")
	f.Add("<a-b>\x00", "…..//\\\\''")
	f.Fuzz(func(t *testing.T, text, summary string) {
		goal, constraints := asked(text)
		c := NewContext([]string{text})
		c.Add(summary, journal.OfSummary)
		decided(summary)
		for _, s := range append(constraints, goal) {
			if len([]rune(s)) > journal.MaxFact {
				t.Errorf("%d characters", len([]rune(s)))
			}
			for k := journal.TaskGoal; k < journal.Standing; k++ {
				c.Find(c.Want(k, s))
			}
		}
	})
}

// TestTagsTakeLinearTime: tags with an end, without one, and one behind the other.
func TestTagsTakeLinearTime(t *testing.T) {
	began := time.Now()
	for _, unit := range []string{"<a-b>\n", "<a-b>x</a-b>\n", "<a-b>\n</a-b>\n", "<a-b></a-b>", "<command-args>x</command-args>", "<command-args>", "a. ", "...", "`*"} {
		asked(strings.Repeat(unit, MaxText/len(unit)))
		decided(strings.Repeat(unit, MaxText/len(unit)))
	}
	many := ""
	for i := range 40000 {
		many += fmt.Sprintf("<t-%d>\n", i)
		if len(many) > 1<<18 {
			break
		}
	}
	asked(many)
	if d := time.Since(began); d > time.Minute { // half a second on an idle machine
		t.Errorf("it took %v", d)
	}
	expectConstraints(t, "<a-b>You must not.</a-b> Keep it short. <c-d>", "Keep it short.")
}
