// Word error rate in JavaScript: a whole port, ready to be held to the definition, and to JiWER.
//
//   conformance run 'cmd:node docs/port.mjs'
//   conformance run 'cmd:node docs/port.mjs' --against jiwer

import { createInterface } from "node:readline";

const WORDS = {
  whitespace: (text) => text.split(/\s+/).filter(Boolean),
  jiwer: (text) => text.replace(/\s\s+/g, " ").trim().split(" ").filter(Boolean),
};
const WER = {
  references: "one",
  components: ["rate", "errors", "reference_length"],
  accepts: { tokenizer: Object.keys(WORDS) }, // what a request can set; the rest is as it stands here
  defaults: { tokenizer: "jiwer" },
  fixes: { alignment: "unit", aggregation: "pooled", empty_reference: "insertion-count" },
};
const HELLO = { protocol: 1, name: "wer-port", version: "1", language: "javascript", metrics: { wer: WER } };

// The least number of insertions, deletions and substitutions that turn one list into the other.
function edits(from, to) {
  let row = to.map((_, place) => place + 1);
  from.forEach((left, above) => {
    let [diagonal, before] = [above, above + 1];
    row = to.map((right, place) => {
      const here = Math.min(diagonal + (left === right ? 0 : 1), before + 1, row[place] + 1);
      [diagonal, before] = [row[place], here];
      return here;
    });
  });
  return row.at(-1) ?? from.length;
}

function wer({ hypotheses, references }, { tokenizer = "jiwer" }) {
  if (hypotheses.length !== references.length || !references.every((several) => Array.isArray(several))) {
    throw new RangeError("expected a list of references for each hypothesis");
  }
  const pairs = hypotheses.map((text, place) => [references[place][0], text].map(WORDS[tokenizer]));
  const errors = pairs.reduce((sum, [reference, hypothesis]) => sum + edits(reference, hypothesis), 0);
  const reference_length = pairs.reduce((sum, [reference]) => sum + reference.length, 0);
  return { rate: reference_length ? errors / reference_length : errors, errors, reference_length };
}

for await (const line of createInterface({ input: process.stdin })) {
  const { say, id, input, parameters } = JSON.parse(line);
  if (say === "bye") break;
  let reply = HELLO;
  if (say !== "hello") {
    try {
      reply = { id, answer: wer(input, parameters) };
    } catch (error) {
      reply = { id, error: { kind: "input", class: error.name, message: error.message } };
    }
  }
  console.log(JSON.stringify(reply));
}
