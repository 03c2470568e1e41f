// What a load run counts on a known sequence of outcomes, and how its report says it.

import { expect, test } from "bun:test";
import type { LoadReport } from "../../load/load-run.ts";
import type { OperationKind, Outcome } from "../../load/operation.ts";
import { loadReportText } from "../../load/report-text.ts";
import { Tally } from "../../load/tally.ts";

const refused = (code: string): Outcome => ({ kind: "refused", code });
const SEQUENCE: [OperationKind, Outcome, latencyMs: number][] = [
  ["submit", { kind: "confirmed", order: { id: "O", isOpen: true, averagePrice: null } }, 1],
  ["submit", { kind: "unknown" }, 20],
  ["cancel", { kind: "unknown" }, 30],
  ["modify", { kind: "unknown" }, 40],
  ["modify", refused("invalid_price"), 2],
  ["cancel", refused("not_found"), 3],
  ["cancel", refused("not_found"), 4],
  ["submit", { kind: "failed", code: "internal" }, 5],
  ["submit", { kind: "not_sent" }, 1_000],
];

function tallied() {
  const tally = new Tally();
  for (const outcome of SEQUENCE) tally.settled(...outcome);
  tally.leaving(0.5);
  tally.missed(3);
  return tally;
}

test("outcomes are counted by kind and code, the most frequent code first, and latencies of what was sent by kind", () => {
  const tally = tallied();
  const { latencyMs, lateMs, ...counts } = tally.figures();
  expect(counts).toEqual({
    sent: { submit: 3, cancel: 3, modify: 2 },
    confirmed: 1,
    refused: { not_found: 2, invalid_price: 1 },
    failed: { internal: 1 },
    unknown: 3,
    notSent: 4,
  });
  expect(Object.keys(counts.refused)).toEqual(["not_found", "invalid_price"]);
  // Only an order that was submitted may be left without a name.
  expect(tally.unknownSubmits).toBe(1);
  const shown = Object.entries(latencyMs).map((
    [kind, figures],
  ) => [kind, figures?.count, Math.round(figures?.max ?? NaN)]);
  expect(shown).toEqual([["all", 8, 40], ["submit", 3, 20], ["cancel", 3, 30], ["modify", 2, 40]]);
  expect(lateMs).toMatchObject({ count: 1, p50: 0.5 });
});

test("the report has each figure in its place", () => {
  const latency = (p50: number, count: number) => ({
    p50,
    p90: p50 + 1,
    p99: p50 + 2,
    p999: p50 + 3,
    max: p50 + 4,
    count,
  });
  const report: LoadReport = {
    plan: {
      connections: 1_200,
      ratePerSecond: 3_000,
      seconds: 10,
      mix: { submit: 55, cancel: 45, modify: 0 },
      seed: 1,
      contractIds: [],
    },
    contractIds: ["A", "B"],
    interrupted: false,
    seconds: 10.04,
    sentPerSecond: 2_999.6,
    confirmedPerSecond: 7.125,
    requests: {
      sent: { submit: 5, cancel: 4, modify: 0 },
      confirmed: 6,
      refused: { not_found: 2, invalid_price: 1 },
      failed: {},
      unknown: 8,
      notSent: 9,
      latencyMs: { all: latency(1, 1_000), submit: latency(2, 20), cancel: latency(3, 30), modify: null },
      lateMs: latency(0.25, 40),
    },
    reconnects: 11,
    cleanUp: { cancelled: 12, closedAlready: 13, left: 0 },
  };
  expect(loadReportText(report).split("\n").map((line) => line.replace(/ {2,}/g, "  "))).toEqual([
    "ran for 10.0 s on A, B",
    "asked  3,000/s on 1,200 connections, submit 55, cancel 45",
    "sent  3,000/s, submit 5, cancel 4",
    "confirmed  6 (7.13/s)",
    "refused  not_found 2, invalid_price 1",
    "failed  none",
    "unknown  8 not answered in time",
    "not sent  9",
    "reconnects  11",
    "",
    "latency, ms  p50  p90  p99  p99.9  max  requests",
    "all  1.00  2.00  3.00  4.00  5.00  1,000",
    "submit  2.00  3.00  4.00  5.00  6.00  20",
    "cancel  3.00  4.00  5.00  6.00  7.00  30",
    "modify  -",
    "sent late by  0.25  1.25  2.25  3.25  4.25  40",
    "",
    "at the end  12 orders cancelled, 13 had closed already",
  ]);
  expect(loadReportText({ ...report, cleanUp: { ...report.cleanUp, left: 1 } })).toEndWith(", 1 may be left");
});
