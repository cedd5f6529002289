// Serves an adapter of a JavaScript library over the protocol (docs/protocol.md):
//   node serve.mjs PACKAGES ADAPTER
// PACKAGES is the folder whose node_modules has the library, ADAPTER a module that exports its `homepage` and
// `metrics(load)`: for each metric its declaration, and with it `score(fields, parameters)`. `library` names the
// package where the module is not named like it.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { Unsupported } from "./adapter.mjs";

const PROTOCOL = 1;
const INPUT_ERRORS = ["Error", "TypeError", "RangeError"]; // by which libraries refuse their input
const STRAY_LIMIT = 2000;

const [packages, file] = process.argv.slice(2).map((each) => resolve(each));
const name = basename(file, ".mjs");
const require = createRequire(join(packages, "package.json"));

// Standard output is the protocol's: what a library prints while it is loaded goes to standard error, later it is told.
const write = process.stdout.write.bind(process.stdout);
let printed = "";
process.stdout.write = (text) => process.stderr.write(text);

const load = async (path) => {
  const module = await import(pathToFileURL(require.resolve(path)));
  return module.default ?? module;
};

// A value as JSON has it: NaN and infinities are strings.
const plain = (value) => {
  if (typeof value === "number") {
    return Number.isFinite(value) ? value : Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
  }
  if (Array.isArray(value)) return value.map(plain);
  if (value !== null && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]));
  }
  return value ?? null;
};

const answer = (metrics, { metric, input, parameters }) => {
  if (!Object.hasOwn(metrics, metric)) return { unsupported: `no metric '${metric}' here` };
  try {
    return { answer: plain(metrics[metric].score(input, parameters)) };
  } catch (error) {
    if (error instanceof Unsupported) return { unsupported: error.message };
    const kind = error?.constructor?.name ?? typeof error;
    const message = String(error?.message ?? error).replace(/\s+/g, " ").slice(0, 500);
    return { error: { kind: INPUT_ERRORS.includes(kind) ? "input" : "internal", class: kind, message } };
  }
};

const reply = (metrics, hello, line) => {
  let message;
  try {
    message = JSON.parse(line);
  } catch (error) {
    return { id: null, error: { kind: "protocol", class: "", message: `not JSON: ${error.message}` } };
  }
  if (message.say === "hello") return hello;
  const before = message.watch ? JSON.stringify(message.input) : undefined;
  const start = process.hrtime.bigint();
  const body = answer(metrics, message);
  body.seconds = Number(process.hrtime.bigint() - start) / 1e9;
  if (before !== undefined) body.mutated = JSON.stringify(message.input) !== before;
  if (printed) body.stray = printed;
  printed = "";
  return { id: message.id, ...body };
};

const adapter = await import(pathToFileURL(file));
const library = adapter.library ?? name;
const { version } = JSON.parse(readFileSync(join(packages, "node_modules", library, "package.json"), "utf-8"));
const metrics = await adapter.metrics(load);
const declared = Object.entries(metrics).map(([metric, { score, ...declaration }]) => [metric, declaration]);
const hello = {
  protocol: PROTOCOL,
  name,
  version,
  language: "javascript",
  homepage: adapter.homepage,
  metrics: Object.fromEntries(declared),
};
process.stdout.write = (text) => {
  printed = (printed + text).slice(0, STRAY_LIMIT);
  return true;
};
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  if (!line.trim()) continue;
  if (line.includes('"bye"') && JSON.parse(line).say === "bye") break;
  write(`${JSON.stringify(reply(metrics, hello, line))}\n`);
}
process.exit(0);
