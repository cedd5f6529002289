// leven (https://github.com/sindresorhus/leven): the distance of two strings.

import { ofPairs } from "./javascript/adapter.mjs";

export const homepage = "https://github.com/sindresorhus/leven";

export const metrics = async (load) => {
  const leven = await load("leven");
  const measure = (hypothesis, reference) => leven(hypothesis, reference);
  return { levenshtein: ofPairs("distance", measure, { fixes: { unit: "utf-16", substitution_cost: 1 } }) };
};
