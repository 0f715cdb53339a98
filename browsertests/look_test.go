package browsertests

import "testing"

func TestTheThemeIsChosenAndRemembered(t *testing.T) {
	p := newTab(t)
	home := newSite(t).home()
	p.open(home)
	const ground = `getComputedStyle(document.body).backgroundColor`
	press := func() { eval[bool](p, `document.querySelector("[aria-label^='Theme']").click() ?? true`) }
	press()
	p.until(ground + ` === "rgb(246, 246, 244)" && document.documentElement.dataset.theme === "light"`)
	press()
	p.until(ground + ` === "rgb(19, 21, 25)"`)
	p.open(home)
	p.until(ground + ` === "rgb(19, 21, 25)"`)
	// Nothing but the look is kept, whatever was open.
	p.choose(claudeSession(t, "session.jsonl"))
	p.state("done", 1)
	if got := eval[string](p, `JSON.stringify(Object.entries(localStorage)) + sessionStorage.length + document.cookie`); got != `[["contextscope.theme","dark"]]0` {
		t.Errorf("the page keeps %s", got)
	}
	// Another tab that changes it is followed.
	eval[bool](p, `(localStorage.setItem("contextscope.theme", "light"), dispatchEvent(new StorageEvent("storage")), true)`)
	p.until(ground + ` === "rgb(246, 246, 244)"`)
	press()
	press()
	p.until(`!("theme" in document.documentElement.dataset) && localStorage.length === 0`)
	p.calm()
}
