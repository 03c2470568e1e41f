// What the summary of a simulation has, and what it leaves out.

import { expect, test } from "bun:test";
import { summaryOf } from "../../../plugins/sim/summary.ts";

const STATUS = {
  status: "running",
  preset: "calm",
  seed: 7,
  speed: 0,
  marketTime: "m",
  startedAt: "s",
  simulatedTime: "t",
  failure: null,
  nothingToTrade: null,
  totals: { personas: 3 },
  metrics: { spread: 1.23456, depth: null, count: 2 },
  reasons: {},
  bookSamples: { taken: 1 },
  marks: { last: 1 },
  personas: [{ id: "p" }],
};

test("a summary has what the simulator tells, without personas, and numbers with two decimals", () => {
  const { personas: _, failure: _failure, nothingToTrade: _nothing, reasons: _reasons, ...told } = STATUS;
  expect(summaryOf(STATUS as never)).toEqual({ ...told, metrics: { spread: 1.23, depth: null, count: 2 } } as never);
  const failed = { failure: "f", nothingToTrade: "n", reasons: { depth: "r" } };
  expect(summaryOf({ ...STATUS, ...failed } as never)).toMatchObject(failed);
  const unknown = { ...STATUS, seed: null, speed: null, preset: null };
  expect(summaryOf(unknown as never)).toMatchObject({ seed: null, speed: null, preset: null });
});
