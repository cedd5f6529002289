// Corpus BLEU in JavaScript with sacreBLEU's choices: a whole port, held to the definition and to sacreBLEU.
import { createInterface } from "node:readline";
const SPACE = "[\\t-\\r\\x1c-\\x1f\\x85\\p{Z}]+"; // white space as Python has it; \s differs in six characters
const words = (text) => text.split(RegExp(SPACE, "u")).filter(Boolean);
const ENTITIES = [[/&quot;/g, '"'], [/&amp;/g, "&"], [/&lt;/g, "<"], [/&gt;/g, ">"]];
const MARKS = [[/[ !-&(-+/:-@[-`{-~]/g, " $& "], [/([^0-9])([.,])/gu, "$1 $2 "], [/([.,])([^0-9])/gu, " $1 $2"]];
const LINES = [[RegExp(`${SPACE}$`, "u"), ""], [/<skipped>/g, ""], [/-\n/g, ""], [/\n/g, " "]];
const RULES = [...LINES, ...ENTITIES, [/^|$/g, " "], ...MARKS, [/([0-9])-/g, "$1 - "]]; // one after the other
const TOKENS = { whitespace: words, "13a": (text) => words(RULES.reduce((seen, rule) => seen.replace(...rule), text)) };
const DEFAULTS = { max_order: 4, smoothing: "exp", effective_order: false, tokenizer: "13a", lowercase: false };
const CHOICES = { smoothing: ["none", "exp"], tokenizer: Object.keys(TOKENS), max_order: null };
const ACCEPTS = { ...CHOICES, effective_order: [true, false], lowercase: [true, false] }; // what a request can set
const FIXES = { zero_before_smoothing: true, reference_length: "closest", reference_length_tie: "shorter" };
const BLEU = { accepts: ACCEPTS, defaults: DEFAULTS, fixes: FIXES };
const HELLO = { protocol: 1, name: "bleu-port", version: "1", language: "javascript", metrics: { bleu: BLEU } };

const sum = (items, number) => items.reduce((total, item) => total + number(item), 0);
const total = ([tokens], order) => Math.max(tokens.length - order + 1, 0);
function grams(tokens, order) {
  const all = Array.from({ length: total([tokens], order) }, (_, at) => tokens.slice(at, at + order).join(" "));
  return all.reduce((counts, gram) => counts.set(gram, (counts.get(gram) ?? 0) + 1), new Map());
}
function clipped([hypothesis, references], order) {
  const known = references.map((tokens) => grams(tokens, order));
  const most = (gram) => Math.max(...known.map((counts) => counts.get(gram) ?? 0)); // in any single reference
  return sum([...grams(hypothesis, order)], ([gram, count]) => Math.min(count, most(gram)));
}
const closest = ([{ length }, references]) =>
  references.map((each) => each.length).sort((a, b) => Math.abs(a - length) - Math.abs(b - length) || a - b)[0];

function bleu({ hypotheses, references }, { max_order, smoothing, effective_order, tokenizer, lowercase }) {
  const complete = hypotheses.length && references.every((several) => several.length);
  if (!complete || !CHOICES.smoothing.includes(smoothing)) throw RangeError("no text, or no such smoothing");
  const split = (text) => TOKENS[tokenizer](lowercase ? text.toLowerCase() : text);
  const pairs = hypotheses.map((text, at) => [split(text), references[at].map(split)]);
  const orders = Array.from({ length: max_order }, (_, at) => at + 1);
  const [matches, totals] = [clipped, total].map((of) => orders.map((order) => sum(pairs, (pair) => of(pair, order))));
  const [hypothesis_length, reference_length] = [sum(pairs, ([tokens]) => tokens.length), sum(pairs, closest)];
  const brevity_penalty = Math.exp(Math.min(0, 1 - reference_length / (hypothesis_length || Number.MIN_VALUE)));
  let share = matches[0] && smoothing === "exp" ? 1 : 0; // halved by each order without a match
  const precisions = orders.map((_, at) => totals[at] && (matches[at] || (share /= 2)) / totals[at]);
  const kept = precisions.filter((_, at) => totals[at] || !effective_order);
  const score = matches[0] && brevity_penalty * Math.exp(sum(kept, Math.log) / kept.length);
  return { score, precisions, brevity_penalty, matches, totals, hypothesis_length, reference_length };
}

function answered({ say, id, input, parameters }, line) {
  if (say === "hello") return HELLO;
  if (say === "bye") process.exit();
  if (/"max_order": *(?![1-9]\d*[,}])/.test(line)) return { id, unsupported: "an order is 1, 2, 3 ..." }; // also 2.0
  if (input.hypotheses.length !== input.references.length) return { id, unsupported: "segments without a counterpart" };
  try {
    return { id, answer: bleu(input, { ...DEFAULTS, ...parameters }) };
  } catch ({ name, message }) {
    return { id, error: { kind: "input", class: name, message } };
  }
}
for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(answered(JSON.parse(line), line)));
}
