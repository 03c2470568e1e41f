// The text of a run's report.

import { expect, test } from "bun:test";
import { headlessReportText } from "../../../sim/headless/headless-report-text.ts";
import { presetExperiment } from "../../../sim/experiment/read-experiment.ts";
import { runOf } from "./support.ts";

test("each column of the table of strategies has the sum of its figure over the strategy's personas", () => {
  const { run, report } = runOf(presetExperiment("thin"), 1);
  run.advance(500);
  const { personas } = report();
  const lines = headlessReportText(report()).split("\n");
  const heads = lines.findIndex((line) => line.startsWith("strategy "));
  const [maker, ...others] = personas.filter(({ strategy }) => strategy === "avellaneda-stoikov");
  expect([maker!.volumeMw > 0, others]).toEqual([true, []]);
  const { orders, changes, cancels, rejected, trades, volumeMw, netPositionMw, stoppedForLosses } = maker!;
  const [tradingResult, physical, surplus] = [maker!.tradingResult, maker!.physicalResult, maker!.surplus]
    .map((dollars) => dollars === null ? "-" : Math.round(dollars));
  const cells = lines.slice(heads).find((line) => line.startsWith("avellaneda-stoikov "))!.trim().split(/ +/);
  expect(lines[heads]!.trim().split(/ {2,}/)).toHaveLength(cells.length);
  expect(new Set([volumeMw, netPositionMw, trades]).size).toBe(3);
  expect(cells.slice(1).map((cell) => cell.replaceAll(",", ""))).toEqual([
    ...[1, orders, changes, cancels, rejected, trades, volumeMw, netPositionMw],
    ...[tradingResult, physical, surplus, stoppedForLosses],
  ].map(String));
});

test("each figure stands by its name, what is missing has a dash with its reason, and each price is in its column", () => {
  const report = {
    ...{ experiment: "e", seed: 3, steps: 5, messages: 7, startedAt: "from", endedAt: "until" },
    totals: { trades: 11, surplus: null },
    metrics: { smithsAlpha: 1.5, allocativeEfficiency: null, twoSidedBooks: 60, meanSpread: 2.5 },
    reasons: { allocativeEfficiency: "no limits", surplus: "no assignments", books: "all gone" },
    bookSamples: { count: 13, until: "then" },
    marks: { book: 4, lastTrade: 0, forecast: 2, delivery: 1 },
    spot: [{ node: "NORTH", price: 31, regime: "spike" }],
    books: [{ contractId: "c", bestBid: 21, bestAsk: 23, lastPrice: 22, forecast: 24 }, {
      ...{ contractId: "d", bestBid: null, bestAsk: 25, lastPrice: null, forecast: 26 },
    }],
    personas: [],
  };
  const rowsOf = (changes: object) =>
    headlessReportText({ ...report, ...changes } as never).split("\n").map((line) =>
      line.trim().replaceAll(/ +/g, " ")
    );
  const rows = rowsOf({});
  for (
    const row of [
      ...["experiment e", "seed 3", "steps 5", "messages 7", "startedAt from", "endedAt until", "trades 11"],
      ...["surplus - (no assignments)", "smithsAlpha 1.5 %", "allocativeEfficiency - (no limits)", "meanSpread 2.5 %"],
      ...["twoSidedBooks 60 % (of 13 looks, the last at then)", "valuedBy books 4, forecasts 2, delivery 1"],
      ...["contract bid ask last forecast", "c 21 23 22 24", "d - 25 - 26", "spot price regime", "NORTH 31 spike"],
    ]
  ) expect(rows).toContain(row);
  const none = { book: 0, lastTrade: 0, forecast: 0, delivery: 0 };
  expect(rowsOf({ books: [], marks: { ...none, lastTrade: 3 } })).toEqual(
    expect.arrayContaining(["No books: all gone.", "valuedBy last trades 3"]),
  );
  expect(rowsOf({ marks: none })).toContain("valuedBy - (nobody has a position)");
});
