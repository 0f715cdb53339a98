// What a page can do without us: the best plain JavaScript in a worker, the usual way, and only reading. Each walks every
// value of every record and adds up the text, as an analysis at least must. Answers {ms, records, chars}.
"use strict";
const walk = (v) => {
  if (typeof v === "string") return v.length;
  let n = 0;
  if (Array.isArray(v)) for (const e of v) n += walk(e);
  else if (v && typeof v === "object") for (const k in v) n += walk(v[k]);
  return n;
};
const usage = { requests: new Map(), peak: 0 };
const record = (line, sum) => {
  if (!line) return;
  let r;
  try { r = JSON.parse(line); } catch { return; }
  sum.records++;
  const m = r.message;
  if (!m) return;
  sum.chars += walk(m.content);
  if (m.usage) {
    const u = m.usage;
    const prompt = u.input_tokens + u.cache_creation_input_tokens + u.cache_read_input_tokens;
    usage.requests.set(m.id, prompt);
    usage.peak = Math.max(usage.peak, prompt);
  }
};
const ways = {
  // 4 MiB slices, decoded in a stream, cut at line ends, parsed: the best that plain JavaScript does.
  async slices(file, sum) {
    const decoder = new TextDecoder();
    let rest = "";
    for (let at = 0; at < file.size; at += 4 << 20) {
      const text = rest + decoder.decode(await file.slice(at, at + (4 << 20)).arrayBuffer(), { stream: true });
      const lines = text.split("\n");
      rest = lines.pop();
      for (const line of lines) record(line, sum);
    }
    record(rest, sum);
  },
  // The whole file as one string.
  async text(file, sum) {
    for (const line of (await file.text()).split("\n")) record(line, sum);
  },
  // Nothing but reading, with two blocks on their way.
  async bare(file, sum) {
    const size = 4 << 20;
    const read = (at) => (at < file.size ? file.slice(at, at + size).arrayBuffer() : null);
    const ahead = [read(0), read(size)];
    for (let at = 2 * size; ; at += size) {
      const block = await ahead.shift();
      if (!block) break;
      sum.chars += new Uint8Array(block)[0];
      ahead.push(read(at));
    }
  },
};
onmessage = async ({ data: { way, file } }) => {
  const sum = { records: 0, chars: 0 };
  const begun = performance.now();
  await ways[way](file, sum);
  postMessage({ ms: performance.now() - begun, ...sum });
};
