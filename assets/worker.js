// The script of the workers, behind wasm_exec.js. It runs as one of two: the program that holds what is open, or the
// reader that fetches blocks of files for it, so that the program's thread is free to compute. Nothing is loaded here.
"use strict";
if (name === "reader") {
  // Each message of the page brings a port at whose other end a program asks for blocks.
  const answer = async ({ target: port, data: { number, file, from, to } }) => {
    try {
      const buffer = await file.slice(from, to).arrayBuffer();
      port.postMessage({ number, buffer }, [buffer]);
    } catch ({ name, message }) {
      port.postMessage({ number, thrown: { name, message } });
    }
  };
  onmessage = ({ data: port }) => { port.onmessage = answer; };
} else {
  // The first message of the page brings the compiled program; everything after it is between the two programs.
  addEventListener("message", async ({ data: { module, reader } }) => {
    globalThis.contextscopeReader = reader;
    const go = new Go();
    go.argv = ["contextscope", "worker"];
    try {
      await go.run(await WebAssembly.instantiate(module, go.importObject));
    } catch (reason) {
      console.error(reason);
    }
    // The program never ends by itself: it has run out of memory, most likely. The page starts another worker.
    postMessage({ kind: "gone" });
  }, { once: true });
}
