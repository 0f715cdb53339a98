//go:build js && wasm

package dom

import (
	"fmt"
	"runtime/debug"

	"github.com/hack-pad/safejs"
)

// Panic is what a recovered panic says. The stack goes to the console; a person gets the sentence.
type Panic struct {
	Value any
	Stack string
}

func (p *Panic) Error() string { return fmt.Sprint(p.Value) }

// Guard runs f and hands a panic to report. Every entry from JavaScript and every goroutine of ours runs inside it, as
// a panic that nobody recovers ends the whole program.
func Guard(report func(*Panic), f func()) {
	defer func() {
		if value := recover(); value != nil {
			p := &Panic{Value: value, Stack: string(debug.Stack())}
			Call(Get(Global(), "console"), "error", p.Error()+"\n"+p.Stack)
			report(p)
		}
	}()
	f()
}

// Func makes a function for JavaScript out of f, inside a Guard. It lives as long as the program.
func Func(report func(*Panic), f func(this Value, args []Value) any) Value {
	fn, err := safejs.FuncOf(func(this Value, args []Value) (result any) {
		Guard(report, func() { result = f(this, args) })
		return result
	})
	if err != nil {
		return safejs.Undefined()
	}
	return fn.Value()
}

// Listen adds an event listener that lives as long as the program. It is not passive: f may prevent the default action.
func Listen(target Value, event string, report func(*Panic), f func(event Value)) {
	fn := Func(report, func(_ Value, args []Value) any {
		if len(args) > 0 {
			f(args[0])
		}
		return nil
	})
	options := Object()
	Set(options, "passive", false)
	Call(target, "addEventListener", event, fn, options)
}

// Thrown is an exception or a promise's rejection: the name of the error ("NotReadableError") and its message.
type Thrown struct{ Name, Message string }

func (t *Thrown) Error() string {
	if t.Name == "" {
		return t.Message
	}
	return t.Name + ": " + t.Message
}

// ThrownOf reads name and message of a thrown value.
func ThrownOf(v Value) *Thrown {
	t := &Thrown{Name: String(Get(v, "name")), Message: String(Get(v, "message"))}
	if t.Name == "" && t.Message == "" {
		t.Message = String(Call(Global(), "String", v))
	}
	return t
}

// Await waits for a promise. The error of a rejection is a *Thrown. It blocks the goroutine that calls it, so it has no
// place in an event handler.
func Await(promise Value) (Value, error) {
	return await(func(resolve, reject safejs.Func) error {
		_, err := promise.Call("then", resolve, reject)
		return err
	})
}

// AwaitCall waits for a method of the older kind, which takes one function for its result and one for its error.
func AwaitCall(target Value, method string) (Value, error) {
	return await(func(resolve, reject safejs.Func) error {
		_, err := target.Call(method, resolve, reject)
		return err
	})
}

func await(begin func(resolve, reject safejs.Func) error) (Value, error) {
	type outcome struct {
		value Value
		err   error
	}
	done := make(chan outcome, 1)
	settle := func(rejected bool) (safejs.Func, error) {
		return safejs.FuncOf(func(_ Value, args []Value) any {
			value := safejs.Undefined()
			if len(args) > 0 {
				value = args[0]
			}
			if rejected {
				done <- outcome{err: ThrownOf(value)}
			} else {
				done <- outcome{value: value}
			}
			return nil
		})
	}
	resolve, err := settle(false)
	if err != nil {
		return safejs.Undefined(), err
	}
	defer resolve.Release()
	reject, err := settle(true)
	if err != nil {
		return safejs.Undefined(), err
	}
	defer reject.Release()
	if err := begin(resolve, reject); err != nil {
		return safejs.Undefined(), err
	}
	o := <-done
	return o.value, o.err
}

// Promise makes a promise with the functions that settle it.
func Promise() (promise, resolve, reject Value) {
	executor, err := safejs.FuncOf(func(_ Value, args []Value) any {
		resolve, reject = args[0], args[1]
		return nil
	})
	if err != nil {
		return safejs.Undefined(), safejs.Undefined(), safejs.Undefined()
	}
	defer executor.Release()
	return New("Promise", executor), resolve, reject
}
