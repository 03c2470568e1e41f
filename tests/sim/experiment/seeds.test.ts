import { describe, expect, test } from "bun:test";
import { seedsFromText } from "../../../sim/experiment/seeds.ts";

describe("the seeds of a study", () => {
  test.each([
    ["7", [7]],
    ["1..4", [1, 2, 3, 4]],
    ["5, 1..3,4294967295", [5, 1, 2, 3, 4_294_967_295]],
    ["0..0", [0]],
  ])("in %s are in the order of the text", (text, seeds) => {
    expect(seedsFromText(text)).toEqual({ ok: true, seeds });
  });

  test.each(["", "a", "1..", "..3", "4..1", "-1", "1.5", "1;2", "1,,2", "4294967296"])('are not "%s"', (text) => {
    expect(seedsFromText(text)).toEqual({ ok: false, fault: expect.stringContaining("such as 1..20") });
  });

  test("are not repeated, and at most 100,000", () => {
    expect(seedsFromText("1..3,2")).toEqual({ ok: false, fault: "names seed 2 twice" });
    expect(seedsFromText("1..100000")).toMatchObject({ ok: true });
    for (const text of ["0..100000", "1..60000,70001..120000", "0..4294967295"]) {
      expect(seedsFromText(text)).toEqual({ ok: false, fault: "names more than 100000 seeds" });
    }
  });
});
