// damerau-levenshtein (https://github.com/tad-lispy/node-damerau-levenshtein): with exchanges, by optimal string alignment.

import { ofPairs } from "./javascript/adapter.mjs";

export const homepage = "https://github.com/tad-lispy/node-damerau-levenshtein";

export const metrics = async (load) => {
  const compare = await load("damerau-levenshtein");
  const measure = (hypothesis, reference) => compare(hypothesis, reference).steps;
  return {
    "damerau-levenshtein": ofPairs("distance", measure, { fixes: { unit: "utf-16", variant: "restricted" } }),
  };
};
