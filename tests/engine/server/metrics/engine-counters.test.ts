import { expect, test } from "bun:test";
import type { WrittenAnswer } from "../../../../engine/api/market-engine.ts";
import { EngineCounters } from "../../../../engine/server/metrics/engine-counters.ts";

const answer = (status: WrittenAnswer["status"], code?: string) =>
  ({ operationId: "o", status, ...(code !== undefined && { code }) }) as WrittenAnswer;

test("requests count by action and outcome, actions that the protocol does not have together, and take seconds", () => {
  const counters = new EngineCounters();
  counters.request("order.submit", answer("ok"), 2);
  counters.request("order.submit", answer("rejected", "market_closed"), 2);
  counters.request("order.submit", answer("error"), 2);
  counters.request("clock.advance", null, 2);
  for (const action of ["order.juggle", "toString"]) counters.request(action, answer("rejected", "invalid_payload"), 2);
  const counted = [...counters.requests].flatMap(([action, counts]) =>
    counts.samples("outcome").filter(({ value }) => value > 0).map(({ labels, value }) => [
      action,
      labels["outcome"],
      value,
    ])
  );
  expect(counted.toSorted()).toEqual([
    ["(unknown)", "invalid_payload", 2],
    ["clock.advance", "ok", 1],
    ["order.submit", "error", 1],
    ["order.submit", "market_closed", 1],
    ["order.submit", "ok", 1],
  ]);
  const { bounds, counts, sum } = counters.requestSeconds;
  expect(sum).toBeCloseTo(0.012, 9);
  expect(counts[bounds.indexOf(0.005)]).toBe(6);
});

test("checkpoints tell how many seconds the last one took, and backups when the last one began", () => {
  const counters = new EngineCounters();
  const figures = () => [
    counters.checkpointSeconds,
    counters.lastBackupAt,
    ...[counters.checkpoints, counters.backups].map((each) => each.samples("outcome").map(({ value }) => value)),
  ];
  expect(figures()).toEqual([null, null, [0, 0], [0, 0]]);
  counters.checkpointSaved(2_500);
  counters.backupTaken(1_000);
  expect(figures()).toEqual([2.5, 1_000, [1, 0], [1, 0]]);
  counters.checkpointSaved(500);
  counters.backupTaken(3_000);
  expect(figures()).toEqual([0.5, 3_000, [2, 0], [2, 0]]);
});
