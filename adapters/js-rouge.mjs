// js-rouge (https://github.com/promptfoo/js-rouge): F of ROUGE-N, ROUGE-S and the summary form of ROUGE-L.
//
// Words are its Penn Treebank tokenizer's unless a request says white space; a sentence is a line then.

import { pair } from "./javascript/adapter.mjs";

export const homepage = "https://github.com/promptfoo/js-rouge";

const words = (text) => text.split(/\s+/u).filter(Boolean);
const lines = (text) => text.split("\n").filter((each) => each.trim());

// F with the beta of the request, and F1; `named` are the library's own options for further parameters.
const scored = (measure, named, whitespace) => ({
  components: ["f1", "f_beta"],
  corpus: false,
  references: "one",
  score: (fields, { beta, tokenizer, ...parameters }) => {
    const options = { ...named(parameters), ...(tokenizer === "whitespace" ? whitespace : {}) };
    const f = (weight) => measure(...pair(fields), { ...options, beta: weight });
    return { f1: f(1), f_beta: f(beta) };
  },
});

export const metrics = async (load) => {
  const rouge = await load("js-rouge");
  const accepts = { beta: null, tokenizer: ["whitespace"] };
  const fixes = { empty: "zero", stemming: "none", aggregation: "mean" };
  return {
    "rouge-n": {
      ...scored(rouge.n, ({ order }) => ({ n: order }), { tokenizer: words }),
      accepts: { ...accepts, order: null },
      defaults: { beta: 1, order: 1 },
      fixes,
    },
    "rouge-s": {
      ...scored(rouge.s, ({ max_gap }) => (max_gap === undefined ? {} : { maxSkip: max_gap + 1 }), { tokenizer: words }),
      accepts: { ...accepts, max_gap: null },
      defaults: { beta: 1 },
      fixes,
    },
    "rouge-lsum": {
      ...scored(rouge.l, () => ({}), { tokenizer: words, segmenter: lines }),
      accepts,
      defaults: { beta: 1 },
      fixes: { ...fixes, beta_rule: "given", clipping: "hypothesis" },
    },
  };
};
