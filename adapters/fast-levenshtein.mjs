// fast-levenshtein (https://github.com/hiddentao/fast-levenshtein): the distance of two strings.

import { ofPairs } from "./javascript/adapter.mjs";

export const homepage = "https://github.com/hiddentao/fast-levenshtein";

export const metrics = async (load) => {
  const { get } = await load("fast-levenshtein");
  const measure = (hypothesis, reference) => get(hypothesis, reference);
  return { levenshtein: ofPairs("distance", measure, { fixes: { unit: "utf-16", substitution_cost: 1 } }) };
};
