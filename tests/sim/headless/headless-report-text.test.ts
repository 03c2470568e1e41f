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
