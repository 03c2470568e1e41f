import { expect, test } from "bun:test";
import { loggedParameters } from "../../../core/guardrails/logged-parameters.ts";

test("an id is kept, and of any other text, and of a parameter that is no id, only the length", () => {
  const given = { id: "O-1:a_b.C", start: "-1", end: "a1 ", lines: "a\nb", empty: "", word: "abc" };
  const length = (count: number) => `(text, ${count} characters)`;
  expect(loggedParameters(given, (name) => name !== "word")).toEqual({
    id: "O-1:a_b.C",
    start: length(2),
    end: length(3),
    lines: length(3),
    empty: length(0),
    word: length(3),
  });
  expect(loggedParameters({ word: "abc" })).toEqual({ word: "abc" });
});
