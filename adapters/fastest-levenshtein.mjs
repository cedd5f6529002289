// fastest-levenshtein (https://github.com/ka-weihe/fastest-levenshtein): the distance of two strings.

import { ofPairs } from "./javascript/adapter.mjs";

export const homepage = "https://github.com/ka-weihe/fastest-levenshtein";

export const metrics = async (load) => {
  const { distance } = await load("fastest-levenshtein");
  return { levenshtein: ofPairs("distance", distance, { fixes: { unit: "utf-16", substitution_cost: 1 } }) };
};
