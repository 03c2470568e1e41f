// What the simple strategies earned over the seeds of a preset, and whether that is money on the street.

import { aligned } from "../../bench/table.ts";
import type { RunResult, StrategyResult } from "./simulated-run.ts";

/** Standard errors that the mean profit of a strategy may lie above zero. */
const MOST_ERRORS = 3;

/** Means over the seeds. */
interface ProfitRow {
  readonly preset: string;
  readonly strategy: string;
  /** Dollars. */
  readonly mean: number;
  /** Standard error of the mean, dollars; NaN with one seed. */
  readonly error: number;
  readonly trades: number;
  readonly megawatts: number;
  /** Dollars that the spread of its quotes can pay; null if it is no maker. */
  readonly spreadPay: number | null;
  /** False: it earned more than it should. A strategy that is no maker may earn what could be luck. */
  readonly holds: boolean;
}

export function profitRows(runs: readonly RunResult[]): ProfitRow[] {
  return [...Map.groupBy(runs, ({ preset }) => preset)].flatMap(([preset, ofPreset]) =>
    [...Map.groupBy(ofPreset.flatMap(({ results }) => results), ({ strategy }) => strategy)]
      .map(([strategy, results]) => rowOf(preset, strategy, results))
  );
}

function rowOf(preset: string, strategy: string, results: readonly StrategyResult[]): ProfitRow {
  const mean = meanOf(results, ({ profit }) => profit);
  const variance = meanOf(results, ({ profit }) => (profit - mean) ** 2) / (results.length - 1);
  const error = Math.sqrt(variance);
  const spreadPay = results[0]!.spreadPay === null ? null : meanOf(results, ({ spreadPay }) => spreadPay ?? 0);
  return {
    preset,
    strategy,
    mean,
    error,
    trades: meanOf(results, ({ trades }) => trades),
    megawatts: meanOf(results, ({ megawatts }) => megawatts),
    spreadPay,
    holds: spreadPay === null ? !(mean > MOST_ERRORS * error) : mean <= spreadPay,
  };
}

/** A row that does not hold is in bold. */
export function profitTable(rows: readonly ProfitRow[]): string {
  const header = ["preset", "strategy", "mean, $", "error, $", "mean / error", "trades", "MW", "its spread pays, $"];
  return aligned(
    header,
    rows.map(({ preset, strategy, mean, error, trades, megawatts, spreadPay, holds }) => [
      preset,
      strategy,
      holds ? mean.toFixed(0) : `**${mean.toFixed(0)}**`,
      error.toFixed(0),
      error > 0 ? (mean / error).toFixed(1) : "",
      trades.toFixed(0),
      megawatts.toFixed(0),
      spreadPay === null ? "" : spreadPay.toFixed(0),
    ]),
  );
}

function meanOf(results: readonly StrategyResult[], valueOf: (result: StrategyResult) => number): number {
  return results.reduce((sum, result) => sum + valueOf(result), 0) / results.length;
}
