import { describe, expect, test } from "bun:test";
import { bestMatches } from "../../../plugins/toolkit/best-matches.ts";

const candidates = [
  { value: "SOUTH-BASE", names: ["Base of the south"] },
  { value: "NORTH-BASE", names: ["Base of the north"] },
  { value: "BASE", names: ["The base"] },
  { value: "BASE-2", names: ["Second"] },
  { value: "X", names: ["Database"] },
];

describe("best matches", () => {
  test("an empty text gives all, in their order", () => {
    expect(bestMatches("", candidates)).toEqual(candidates.map(({ value }) => value));
    expect(bestMatches("  ", candidates)).toEqual(candidates.map(({ value }) => value));
  });

  test("the id itself comes first, then ids and names that begin with the text, then words, then the middle", () => {
    expect(bestMatches("base", candidates)).toEqual(["BASE", "BASE-2", "SOUTH-BASE", "NORTH-BASE", "X"]);
    expect(bestMatches("th", candidates)).toEqual(["BASE", "SOUTH-BASE", "NORTH-BASE"]);
  });

  test("each word must be there, in any order and any case", () => {
    expect(bestMatches("NORTH base", candidates)).toEqual(["NORTH-BASE"]);
    expect(bestMatches("second 2", candidates)).toEqual(["BASE-2"]);
    expect(bestMatches("north second", candidates)).toEqual([]);
  });

  test("a text longer than any id matches nothing, however often it repeats a word that does", () => {
    expect(bestMatches("b ".repeat(100), candidates)).toHaveLength(candidates.length);
    expect(bestMatches(`${"b ".repeat(100)}b`, candidates)).toEqual([]);
  });
});

test("what is as long as an id may be is looked for, and a longer text is nobody's", () => {
  const candidate = { value: "x".repeat(201), names: [] };
  expect(bestMatches("x".repeat(200), [candidate])).toHaveLength(1);
  expect(bestMatches("x".repeat(201), [candidate])).toEqual([]);
});

test("any name that begins with the text comes before any word that does, and that before the middle of a word", () => {
  const mixed = [
    { value: "A1", names: ["First", "Unsouthern base"] },
    { value: "B1", names: ["Second", "Deep south"] },
    { value: "C1", names: ["Third", "South pole"] },
    { value: "SOUTH-1", names: [] },
  ];
  expect(bestMatches("south", mixed)).toEqual(["SOUTH-1", "C1", "B1", "A1"]);
  const ofTwoWords = [{ value: "A2", names: ["Far south, unbase"] }, { value: "B2", names: ["Deep base south"] }];
  expect(bestMatches("south base", ofTwoWords)).toEqual(["B2", "A2"]);
});
