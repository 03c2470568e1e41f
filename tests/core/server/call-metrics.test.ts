// What is counted of calls: each set of labels for itself, by outcome, and how long they took.

import { expect, test } from "bun:test";
import { CallMetrics } from "../../../core/server/call-metrics.ts";

interface Call {
  readonly name: string;
  readonly outcome: string;
  readonly durationMs: number;
}

function metrics() {
  const read: Record<string, () => Iterable<{ readonly labels: object; readonly value?: number }>> = {};
  const add = (name: string, _help: string, reading: never) => void (read[name] = reading);
  const calls = new CallMetrics<Call>({ counter: add, histogram: add } as never, {
    total: { name: "total", help: "t" },
    duration: { name: "duration", help: "d" },
    keyOf: ({ name }) => name,
    labelsOf: ({ name }) => ({ name }),
  });
  const samples = () => [...read["total"]!()].map(({ labels, value }) => [...Object.values(labels), value]);
  return { calls, samples, durations: () => [...read["duration"]!()] as never as Timed[] };
}

interface Timed {
  readonly labels: object;
  readonly durations: { readonly sum: number; readonly count: number };
}

test("calls are counted by their labels and outcomes, and their time in seconds by their labels", () => {
  const { calls, samples, durations } = metrics();
  expect([samples(), durations()]).toEqual([[], []]);
  for (const [name, outcome, durationMs] of [["a", "ok", 500], ["b", "ok", 2000], ["a", "no", 250], ["a", "ok", 250]]) {
    calls.record({ name, outcome, durationMs } as Call);
  }
  expect(samples()).toEqual([["a", "ok", 2], ["b", "ok", 1], ["a", "no", 1]]);
  expect(durations().map(({ labels }) => labels)).toEqual([{ name: "a" }, { name: "b" }]);
  expect(durations().map(({ durations: { sum } }) => sum)).toEqual([1, 2]);
});

test("beyond a hundred outcomes of one set of labels further ones count together, the known ones as before", () => {
  const { calls, samples } = metrics();
  for (let i = 0; i < 103; i++) calls.record({ name: "a", outcome: `o-${i}`, durationMs: 1 });
  calls.record({ name: "a", outcome: "o-0", durationMs: 1 });
  calls.record({ name: "b", outcome: "o-102", durationMs: 1 });
  expect(samples()).toHaveLength(102);
  expect(samples().at(0)).toEqual(["a", "o-0", 2]);
  expect(samples().slice(-3)).toEqual([["a", "o-99", 1], ["a", "(other)", 3], ["b", "o-102", 1]]);
});
