// What a finished run says of itself, alone or as a job of a study.

import { expect, test } from "bun:test";
import * as strategies from "../../../sim/outside/strategies/strategy-files.ts";
import { resultLine, resultOf, runOf } from "../../../sim/study/run-of-report.ts";
import { replaced } from "../../support/replaced.ts";
import packageJson from "../../../package.json" with { type: "json" };

const REPORT = {
  experiment: "thin\u2028",
  seed: 7,
  steps: 9,
  startedAt: "2026-03-02T06:00:00.000Z",
  endedAt: "2026-03-02T07:30:00.000Z",
} as never;
const VARIANT = [{ path: "hours", keys: ["hours"], value: 2 }] as never;

test("the result of a run is its report, after what names its job", () => {
  expect(resultOf(REPORT, [])).toEqual(REPORT);
  expect(Object.entries(resultOf(REPORT, VARIANT)).slice(0, 3)).toEqual([
    ["job", "hours=2,seed-7"],
    ["parameters", { hours: 2 }],
    ["experiment", "thin\u2028"],
  ]);
  const line = resultLine(REPORT, VARIANT);
  expect([line.endsWith("}\n"), line.includes("\u2028"), JSON.parse(line)]).toEqual([
    true,
    false,
    resultOf(REPORT, VARIANT),
  ]);
});

test("a run is described with the hours that it took, its command, and its strategies from files if it has any", () => {
  const experiment = { name: "thin", seed: 7 } as never;
  const files = replaced(strategies, "addedStrategyFiles", () => []);
  const described = {
    version: packageJson.version,
    command: "mkt simulate",
    seed: 7,
    startedAt: "2026-03-02T06:00:00.000Z",
    endedAt: "2026-03-02T07:30:00.000Z",
    hours: 1.5,
    steps: 9,
    experiment,
  };
  expect(runOf(REPORT, experiment, "mkt simulate")).toEqual(described as never);
  expect(files).toHaveLength(1);
  const added = [{ name: "mine", path: "/mine.ts" }] as never;
  replaced(strategies, "addedStrategyFiles", () => added);
  expect(runOf(REPORT, experiment, "mkt simulate")).toEqual({ ...described, strategyFiles: added } as never);
});
