//go:build js && wasm

// Package dom is the thin layer between Go and JavaScript's objects: reading properties, calling methods, awaiting
// promises and passing bytes. All of it goes through safejs, so a thrown exception is an error here and never a panic.
//
// Two ways to read are offered. The short ones (Get, Call, String, Float …) give undefined or a zero value where
// something is missing or throws: right for the many small things a page asks of a browser and can do without. Where an
// error matters, callers use safejs itself or Await, which tells name and message of what was thrown.
package dom

import "github.com/hack-pad/safejs"

// Value is a JavaScript value.
type Value = safejs.Value

// Global is the global object: a page's window or a worker's scope.
func Global() Value { return safejs.Global() }

// Get follows a chain of properties and gives undefined where it breaks off.
func Get(v Value, path ...string) Value {
	for _, key := range path {
		next, err := v.Get(key)
		if err != nil {
			return safejs.Undefined()
		}
		v = next
	}
	return v
}

// Set sets a property.
func Set(v Value, key string, x any) { _ = v.Set(key, x) }

// Call calls a method and gives undefined where there is none or where it throws.
func Call(v Value, method string, args ...any) Value {
	result, err := v.Call(method, args...)
	if err != nil {
		return safejs.Undefined()
	}
	return result
}

// New makes an object of a global class, and gives undefined where there is no such class or its constructor throws.
func New(class string, args ...any) Value {
	result, err := Get(Global(), class).New(args...)
	if err != nil {
		return safejs.Undefined()
	}
	return result
}

// Has tells whether there is such a property, with a value other than null and undefined.
func Has(v Value, key string) bool {
	x := Get(v, key)
	return !x.IsUndefined() && !x.IsNull()
}

// Present tells whether there is a value other than null and undefined.
func Present(v Value) bool { return !v.IsUndefined() && !v.IsNull() }

// Truthy is the value as a condition.
func Truthy(v Value) bool {
	b, _ := v.Truthy()
	return b
}

// String is the value if it is a string, else "".
func String(v Value) string {
	if v.Type() != safejs.TypeString {
		return ""
	}
	s, _ := v.String()
	return s
}

// Float is the value if it is a number, else 0.
func Float(v Value) float64 {
	f, _ := v.Float()
	return f
}

// Int is the value if it is a number, cut to an integer, else 0.
func Int(v Value) int { return int(Float(v)) }

// Each calls f for each entry of an array or a list.
func Each(list Value, f func(Value)) {
	n, err := list.Length()
	if err != nil {
		return
	}
	for i := range n {
		if x, err := list.Index(i); err == nil {
			f(x)
		}
	}
}

// Array makes an array.
func Array(items ...Value) Value {
	list := New("Array")
	for _, x := range items {
		Call(list, "push", x)
	}
	return list
}

// Object makes an object without a property.
func Object() Value { return New("Object") }

// Same tells whether two values are one and the same object.
func Same(a, b Value) bool { return a.Equal(b) }

// Bytes copies a Uint8Array.
func Bytes(v Value) []byte {
	n, err := v.Length()
	if err != nil || n == 0 {
		return nil
	}
	b := make([]byte, n)
	if _, err := safejs.CopyBytesToGo(b, v); err != nil {
		return nil
	}
	return b
}

// Uint8Array copies bytes into a new Uint8Array.
func Uint8Array(b []byte) Value {
	v := New("Uint8Array", len(b))
	if len(b) > 0 {
		_, _ = safejs.CopyBytesToJS(v, b)
	}
	return v
}
