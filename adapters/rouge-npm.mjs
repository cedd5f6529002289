// The package rouge of npm (https://github.com/kenlimmj/rouge): recall of ROUGE-N. PyPI has another of that name.
//
// Several references are jackknifed unless a request says otherwise. Its ROUGE-L never returns on equal texts and
// fails on all others, and its ROUGE-S divides a list by a number, so neither is a metric here.

import { Unsupported } from "./javascript/adapter.mjs";

export const library = "rouge";
export const homepage = "https://github.com/kenlimmj/rouge";

export const metrics = async (load) => {
  const rouge = await load("rouge");
  return {
    "rouge-n": {
      components: ["recall"],
      corpus: false,
      accepts: { order: null, multi_reference: ["jackknife", "pooled"] },
      defaults: { order: 1 },
      fixes: { aggregation: "mean", stemming: "none", empty: "error" },
      score: ({ hypotheses, references }, { order, multi_reference }) => {
        if (hypotheses.length !== 1) throw new Unsupported("it scores one segment");
        const jackknife = multi_reference === undefined ? undefined : multi_reference === "jackknife";
        return { recall: rouge.n(hypotheses[0], references[0], order, jackknife) };
      },
    },
  };
};
