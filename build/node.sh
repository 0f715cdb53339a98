#!/bin/sh
# Runs a WebAssembly test binary in Node, for go test -exec. Go bounds how large the environment may be, so most of it
# stays outside.
exec env -i PATH="$PATH" HOME="${HOME-/}" TMPDIR="${TMPDIR-/tmp}" "$(go env GOROOT)/lib/wasm/go_js_wasm_exec" "$@"
