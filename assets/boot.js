// Boots the page. It loads everything that the app will ever need, starts the program, and then shuts the door: a second
// policy stops the page from loading or sending anything. Only after that is the worker made that reads people's files.
//
// The same script serves both builds. In the hosted one each part is a file beside the page; in the one-file build the
// parts stand inside the page, binary ones as base64.
"use strict";
(() => {
  const html = document.documentElement;

  // What the program finds when it starts. It adds start(makeWorker).
  const boot = { fail, example, session, packed: null };
  const parts = {};

  // Shows a sentence in place of the app, or above it when the app has stopped later.
  function fail(sentence, detail = "") {
    html.dataset.state = "error";
    const box = document.getElementById("boot");
    box.textContent = sentence + " " + detail;
    box.hidden = false;
  }

  // A file dropped before the program listens must not make the browser leave the page for it.
  for (const event of ["dragover", "drop"]) {
    addEventListener(event, (e) => e.dataTransfer?.types.includes("Files") && e.preventDefault());
  }

  // The renderer asks for eval to install a script that is already here; nobody else needs it, and the policy forbids it.
  window.eval = () => {};

  // No policy covers WebRTC, so it goes.
  for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "RTCDataChannel"]) delete window[name];

  async function fetched(element) {
    const response = await fetch(element.src);
    if (!response.ok) throw new Error(`${element.src} answers ${response.status}`);
    return response;
  }

  // The text of a script, which the browser has in its cache already.
  async function text(id) {
    const element = document.getElementById(id);
    return element.src ? (await fetched(element)).text() : element.textContent;
  }

  // The bytes of a packed part. The base64 leaves the page, so that it is not held twice.
  async function bytes(id) {
    const element = document.getElementById(id);
    if (element.src) return new Uint8Array(await (await fetched(element)).arrayBuffer());
    const base64 = element.textContent;
    element.remove();
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
    return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  }

  // Unpacks gzip. Some servers unpack a .gz file on its way, so its first bytes decide.
  function unpack(packed, type = "application/octet-stream") {
    const isGzip = packed[0] === 0x1f && packed[1] === 0x8b;
    const stream = new Blob([packed]).stream();
    return new Response(isGzip ? stream.pipeThrough(new DecompressionStream("gzip")) : stream, {
      headers: { "content-type": type },
    });
  }

  // The files of the built-in example. They are packed as steps through a list of distinct lines.
  async function example() {
    const { lines, files } = await unpack(parts.example).json();
    return files.map(({ path, steps }) => {
      let at = -1;
      return { path, text: steps.map((step) => lines[at += step + 1]).join("") };
    });
  }

  // The session that a report carries, null elsewhere.
  async function session() {
    return parts.session ? { path: "session.pftrace", data: await unpack(parts.session).arrayBuffer() } : null;
  }

  // Compiles the program, while it is still coming in where the server tells its type.
  async function compile() {
    const element = document.getElementById("program");
    if (!element.src) {
      boot.packed = await bytes("program");
      return WebAssembly.compileStreaming(unpack(boot.packed, "application/wasm"));
    }
    const response = await fetched(element);
    const type = response.headers.get("content-type") || "";
    return type.startsWith("application/wasm")
      ? WebAssembly.compileStreaming(response)
      : WebAssembly.compile(await response.arrayBuffer());
  }

  async function start() {
    const [module, exec, worker, packed] = await Promise.all([
      compile(), text("exec"), text("worker"), bytes("example"),
    ]);
    parts.example = packed;
    if (document.getElementById("session")) parts.session = await bytes("session");

    // The program runs until it waits for something: by then it has mounted the app and left start in boot.
    window.contextscopeBoot = boot;
    const go = new Go();
    go.argv = ["contextscope", "page"];
    const instance = await WebAssembly.instantiate(module, go.importObject);
    go.run(instance).finally(() => fail("contextscope has stopped.", "Reload the page to go on."));
    delete window.contextscopeBoot;
    if (!boot.start) return;

    // Where the page comes from a server it works without one the next time. The second policy lets no such worker in any more.
    if (document.getElementById("program")?.src) navigator.serviceWorker?.register("sw.js").catch(() => {});

    const policy = document.createElement("meta");
    policy.httpEquiv = "Content-Security-Policy";
    policy.content = "default-src 'none'; script-src 'wasm-unsafe-eval'; img-src data: blob:; worker-src blob:";
    document.head.append(policy);

    // A worker made from here on inherits both policies. One reads files for the other, by a channel between them.
    const source = URL.createObjectURL(new Blob([exec, "\n", worker], { type: "text/javascript" }));
    const reader = new Worker(source, { name: "reader" });
    boot.start(() => {
      const made = new Worker(source);
      const { port1, port2 } = new MessageChannel();
      reader.postMessage(port1, [port1]);
      made.postMessage({ module, reader: port2 }, [port2]);
      return made;
    });
    document.getElementById("boot").hidden = true;
  }

  if (typeof WebAssembly !== "object" || !WebAssembly.compileStreaming || typeof DecompressionStream !== "function") {
    fail("Your browser is too old for contextscope.", "Open it in a browser from the year 2023 or later.");
    return;
  }
  start().catch((reason) => {
    console.error(reason);
    fail("contextscope could not be loaded.", "Check your connection and reload the page. The browser says: " +
      (reason && reason.message || reason));
  });
})();
