// word-error-rate (https://github.com/ryanvolum/word-error-rate): edits of words over the longer side, in lower case.

import { ofPairs } from "./javascript/adapter.mjs";

export const homepage = "https://github.com/ryanvolum/word-error-rate";

export const metrics = async (load) => {
  const { wordErrorRate } = await load("word-error-rate");
  return {
    wer: ofPairs("rate", (hypothesis, reference) => wordErrorRate(hypothesis, reference), {
      fixes: { tokenizer: "whitespace", transforms: ["lowercase"], alignment: "unit", empty_reference: "one" },
    }),
  };
};
