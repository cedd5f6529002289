// talisman (https://github.com/Yomguithereal/talisman): distances of strings and of lists of tokens, and overlap as sets.

import { ofPairs } from "./javascript/adapter.mjs";

export const homepage = "https://github.com/Yomguithereal/talisman";

const words = (text) => text.split(/\s+/u).filter(Boolean);

export const metrics = async (load) => {
  const levenshtein = await load("talisman/metrics/levenshtein");
  const damerau = await load("talisman/metrics/damerau-levenshtein");
  const jaccard = await load("talisman/metrics/jaccard");
  const units = { accepts: { unit: ["utf-16", "token"] }, defaults: { unit: "utf-16" } };
  const by = (measure) => (hypothesis, reference, { unit }) =>
    unit === "token" ? measure(words(hypothesis), words(reference)) : measure(hypothesis, reference);
  return {
    levenshtein: ofPairs("distance", by(levenshtein), { ...units, fixes: { substitution_cost: 1 } }),
    "damerau-levenshtein": ofPairs("distance", by(damerau), { ...units, fixes: { variant: "restricted" } }),
    jaccard: ofPairs("score", jaccard, {
      input: "tokens",
      fixes: { counting: "set", elements: "tokens", both_empty: "zero" },
    }),
  };
};
