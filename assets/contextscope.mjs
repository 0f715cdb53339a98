#!/usr/bin/env node
// contextscope on the command line: runs the page's own program in Node 20 or newer. Try --help.
import fs from "node:fs";
import path from "node:path";
import { isatty } from "node:tty";
import { fileURLToPath } from "node:url";

if (Number(process.versions.node.split(".")[0]) < 20) {
  console.error(`contextscope needs Node 20 or newer; this is Node ${process.versions.node}`);
  process.exit(2);
}

// What Go's runtime for JavaScript looks for.
globalThis.fs = fs;
globalThis.path = path;
await import(new URL("assets/wasm_exec.js", import.meta.url));

// Go limits the length of its own argument list, so the arguments go this way.
const page = fileURLToPath(new URL("contextscope.html", import.meta.url));
globalThis.contextscopeRunner = { args: process.argv.slice(2), terminal: isatty(1), page };
const go = new Go();
go.argv = ["contextscope", "run"];
go.exit = process.exit;
const program = fs.readFileSync(new URL("assets/contextscope.wasm", import.meta.url));
const { instance } = await WebAssembly.instantiate(program, go.importObject);
await go.run(instance);
