// What adapters of JavaScript libraries have in common.

// Thrown by an adapter's function: this very request is beyond the library.
export class Unsupported extends Error {}

// The hypothesis and the one reference of a single segment.
export const pair = ({ hypotheses, references }) => {
  if (hypotheses.length !== 1 || references.length !== 1 || !Array.isArray(references[0]) || references[0].length !== 1) {
    throw new Unsupported("it compares one pair");
  }
  return [hypotheses[0], references[0][0]];
};

// A distance or similarity of two strings as a metric, declared like any other; `component` names its value.
export const ofPairs = (component, measure, declaration) => ({
  components: [component],
  corpus: false,
  references: "one",
  ...declaration,
  score: (fields, parameters) => ({ [component]: measure(...pair(fields), parameters) }),
});
