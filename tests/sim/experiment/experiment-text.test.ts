// An experiment as text: what is said, and how it is laid out.

import { expect, test } from "bun:test";
import type { Experiment } from "../../../sim/experiment/experiment.ts";
import { experimentText } from "../../../sim/experiment/experiment-text.ts";
import { presetExperiment } from "../../../sim/experiment/read-experiment.ts";

const said = (changes: Partial<Experiment>) =>
  JSON.parse(experimentText({ ...presetExperiment("thin"), ...changes })) as Record<string, unknown>;

test("a setting that is null is left out, but for the preset, which then says that nothing is absent", () => {
  expect(said({ preset: null, seed: 5, seeds: null, hours: null, steps: 7 })).toMatchObject({
    preset: null,
    seed: 5,
    steps: 7,
  });
  expect(Object.keys(said({ seeds: null, hours: null, steps: 7 }))).not.toContain("hours");
  expect(Object.keys(said({ seeds: null, hours: null, steps: 7 }))).not.toContain("seeds");
});

test("a study has its seeds and not the first of them as the seed of a run", () => {
  const study = said({ seed: 3, seeds: "3..5" });
  expect([study["seeds"], Object.keys(study).includes("seed")]).toEqual(["3..5", false]);
});

test("small objects are on one line, and no line of them is longer than 100 characters", () => {
  const text = experimentText(presetExperiment("calm"));
  const lines = text.split("\n").filter((line) => line.includes("{ "));
  expect(lines.length).toBeGreaterThan(5);
  const longest = Math.max(...lines.map((line) => line.replace(/^( *)"\w+": /, "$1").replace(/,$/, "").length));
  expect(longest).toBeWithin(60, 101);
  expect(text.split("\n")[0]).toBe("{");
});
