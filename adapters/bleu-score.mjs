// bleu-score (https://www.npmjs.com/package/bleu-score): BLEU of one segment against one reference.

import { ofPairs } from "./javascript/adapter.mjs";

export const homepage = "https://www.npmjs.com/package/bleu-score";

export const metrics = async (load) => {
  const { bleu } = await load("bleu-score");
  // Whoever calls it says the longest n-gram; it is four here where a request says none.
  const measure = (hypothesis, reference, { max_order = 4 }) => bleu(reference, hypothesis, max_order);
  return {
    bleu: ofPairs("score", measure, {
      accepts: { max_order: null },
      defaults: { max_order: 4 },
      fixes: {
        weights: [],
        smoothing: "none",
        smoothing_value: "standard",
        effective_order: false,
        denominator_floor: "none",
        aggregation: "corpus",
        empty_hypothesis: "zero",
        lowercase: false,
        tokenizer: "whitespace",
      },
    }),
  };
};
