#!/bin/sh
# The one script to know.
#
#   ./build.sh               builds dist/; needs Go alone
#   ./build.sh serve [PORT]  builds, and serves dist/ on http://localhost:8080
#   ./build.sh test          everything that has to hold; needs Node too, and two browsers, which it installs where it may
#   ./build.sh bench         prints one figure a line: name value unit
#   ./build.sh clean         removes what was built
set -eu
cd "$(dirname "$0")"

say() { printf '\n== %s\n' "$*"; }

die() {
	printf 'build.sh: %s\n' "$*" >&2
	exit 1
}

build() { go run ./build dist; }

formatted() {
	say 'formatting'
	unformatted=$(find . -name '*.go' ! -name '*_gen.go' -exec gofmt -l {} +)
	[ -z "$unformatted" ] || die "gofmt would change: $unformatted"
}

vetted() {
	say 'vet'
	go vet ./...
	GOOS=js GOARCH=wasm go vet ./...
	(cd browsertests && go vet ./...)
}

# Generated code is committed, so that a fresh clone compiles; here it has to be what the components give today.
fresh() {
	say 'generated code'
	before=$(cat ui/*_gen.go | cksum)
	go tool vugugen -s -r ./ui
	[ "$before" = "$(cat ui/*_gen.go | cksum)" ] || die 'the generated code was stale; what is there now is fresh, commit it'
}

# A browser by the names that systems give it.
find_chromium() { first_of chromium chromium-browser google-chrome google-chrome-stable; }
find_firefox() { first_of firefox-esr firefox; }

first_of() {
	for name in "$@"; do
		command -v "$name" && return
	done
	return 1
}

install() {
	say "installing $1"
	command -v apt-get >/dev/null || die "the browser tests need $1: install it and run this again"
	if [ "$(id -u)" = 0 ]; then
		apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$1"
	elif sudo -n true 2>/dev/null; then
		sudo -n apt-get update && sudo -n env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$1"
	else
		die "the browser tests need $1: run \"sudo apt-get install $1\" and then this again"
	fi
}

# What the browser tests take beside the browsers: rules of accessibility, and a reader of JSON Schema.
packages() {
	say 'axe-core and ajv'
	(cd browsertests && npm ci --ignore-scripts --no-audit --no-fund)
}

test_all() {
	command -v node >/dev/null || die 'the tests need Node 20 or newer'
	formatted
	vetted
	fresh
	say 'native tests'
	go run ./build test native -- ./...
	say 'the same code as WebAssembly, in Node'
	go run ./build test wasm -- -exec "$PWD/build/node.sh" ./core/... ./adapters/... ./wasm/runner
	say 'dist'
	build
	CHROMIUM=$(find_chromium) || { install chromium && CHROMIUM=$(find_chromium); } || die 'Chromium is missing'
	FIREFOX=$(find_firefox) || { install firefox-esr && FIREFOX=$(find_firefox); } || die 'Firefox is missing'
	export CHROMIUM FIREFOX
	packages
	say 'browser tests'
	go run ./build test browser -- -count=1 -timeout=20m .
}

# Go's own lines of benchmarks, one figure a line. Each file named bench_test.go may add to them by ReportMetric.
figures() {
	awk '/^Benchmark/ { sub(/-[0-9]+$/, "", $1); for (i = 3; i < NF; i += 2) print $1, $i, $(i + 1) }'
}

bench() {
	build >&2
	CHROMIUM=$(find_chromium) || die 'the benchmarks need Chromium'
	export CHROMIUM
	go test -run '^$' -bench . ./core/... ./adapters/... ./ui/... | figures
	(cd browsertests && go test -count=1 -run '^$' -bench . -benchtime 1x . | figures)
}

case "${1-}" in
'') build ;;
serve)
	build
	exec go run ./build serve "${2-8080}"
	;;
test) test_all ;;
bench) bench ;;
clean) go run ./build clean ;;
*) die "unknown: $1; there are serve [PORT], test, bench and clean, or nothing to build" ;;
esac
