// natural (https://github.com/NaturalNode/natural): edit distances, Porter's stemmer and n-grams.

import { ofPairs } from "./javascript/adapter.mjs";

export const homepage = "https://github.com/NaturalNode/natural";

export const metrics = async (load) => {
  const natural = await load("natural");
  return {
    levenshtein: ofPairs(
      "distance",
      (hypothesis, reference, { substitution_cost }) =>
        natural.LevenshteinDistance(hypothesis, reference, substitution_cost ? { substitution_cost } : undefined),
      { accepts: { substitution_cost: [1, 2] }, defaults: { substitution_cost: 1 }, fixes: { unit: "utf-16" } },
    ),
    "damerau-levenshtein": ofPairs(
      "distance",
      (hypothesis, reference, { variant }) =>
        natural.DamerauLevenshteinDistance(hypothesis, reference, variant ? { restricted: variant === "restricted" } : undefined),
      {
        accepts: { variant: ["unrestricted", "restricted"] },
        defaults: { variant: "unrestricted" },
        fixes: { unit: "utf-16" },
      },
    ),
    "porter-stem": {
      score: ({ text }) => ({ text: text.split(/\s+/u).filter(Boolean).map((word) => natural.PorterStemmer.stem(word)).join(" ") }),
    },
  };
};
