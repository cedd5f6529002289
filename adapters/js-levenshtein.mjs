// js-levenshtein (https://github.com/gustf/js-levenshtein): the distance of two strings.

import { ofPairs } from "./javascript/adapter.mjs";

export const homepage = "https://github.com/gustf/js-levenshtein";

export const metrics = async (load) => {
  const distance = await load("js-levenshtein");
  return { levenshtein: ofPairs("distance", distance, { fixes: { unit: "utf-16", substitution_cost: 1 } }) };
};
