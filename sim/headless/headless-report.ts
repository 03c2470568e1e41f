// The report of a headless simulation. It depends on nothing but the run: no clock, no machine.

import {
  markCounts,
  type PersonaReport,
  personaReport,
  reasonsWithTotals,
  type RunTotals,
  runTotals,
  valuesAndReasons,
} from "../personas/persona-report.ts";
import type { Figure, MarkSource, MetricName } from "../personas/run-metrics.ts";
import type { TradedContract } from "../personas/traded-contract.ts";
import type { SpotPrices } from "../spot/spot-prices.ts";
import type { HeadlessRun } from "./headless-run.ts";

interface BookReport {
  readonly contractId: string;
  /** All prices in cents/MWh. */
  readonly bestBid: number | null;
  readonly bestAsk: number | null;
  readonly lastPrice: number | null;
  readonly forecast: number;
}

export interface HeadlessReport {
  /** Name of the experiment. */
  readonly experiment: string;
  readonly seed: number;
  readonly steps: number;
  /** Orders, changes and cancels that reached the exchange, also those that it rejected. */
  readonly messages: number;
  /** Simulated times. */
  readonly startedAt: string;
  readonly endedAt: string;
  readonly totals: RunTotals;
  /** Percent. */
  readonly metrics: Readonly<Record<MetricName, number | null>>;
  /** For each metric and total that is null, and for `books` if there are none, why. */
  readonly reasons: Readonly<Record<string, string>>;
  /** What `twoSidedBooks` and `meanSpread` rest on: the number of looks at books, and the time of the last one. */
  readonly bookSamples: { readonly count: number; readonly until: string | null };
  /** The number of contracts with positions that are valued by each source. */
  readonly marks: Readonly<Record<MarkSource, number>>;
  readonly spot: readonly { readonly node: string; readonly price: number; readonly regime: string }[];
  /** Books of the contracts traded at the end, nearest delivery first. */
  readonly books: readonly BookReport[];
  readonly personas: readonly PersonaReport[];
}

const NO_BOOKS = "no contract is left that personas trade: each has gone to delivery, or is too close to it";

/** `nodes`: those of the market that have spot prices. */
export function headlessReport(
  run: HeadlessRun,
  spot: SpotPrices,
  names: {
    readonly experiment: string;
    readonly seed: number;
    readonly startTime: number;
    readonly nodes: readonly string[];
  },
): HeadlessReport {
  const { metrics, tradedNow } = run;
  const markOf = (contract: TradedContract) => run.markOf(contract);
  const personas = run.personas.map((persona) => personaReport(persona, markOf));
  const { count, until } = metrics.bookSamples;
  const totals = runTotals(personas, metrics);
  const figures = roundedFigures(metrics.figures(run.time));
  return {
    experiment: names.experiment,
    seed: names.seed,
    steps: run.steps,
    messages: run.messages,
    startedAt: new Date(names.startTime).toISOString(),
    endedAt: new Date(run.time).toISOString(),
    totals,
    metrics: figures.metrics,
    reasons: { ...reasonsWithTotals(figures.reasons, totals), ...(tradedNow.length === 0 ? { books: NO_BOOKS } : {}) },
    bookSamples: { count, until: until === null ? null : new Date(until).toISOString() },
    marks: markCounts(run.personas, markOf),
    spot: names.nodes.map((node) => {
      const { priceCents, regime } = spot.current(node);
      return { node, price: priceCents, regime };
    }),
    books: tradedNow.map((contract) => ({
      contractId: contract.id,
      ...run.book(contract),
      forecast: Math.round(run.bestForecast(contract)),
    })),
    personas,
  };
}

/** To four decimals; the metrics that are null keep their reasons. */
function roundedFigures(figures: Readonly<Record<MetricName, Figure>>): Pick<HeadlessReport, "metrics" | "reasons"> {
  const { metrics, reasons } = valuesAndReasons(figures);
  const rounded = Object.entries(metrics).map(([name, value]) => [name, value === null ? null : toFourDecimals(value)]);
  return { metrics: Object.fromEntries(rounded), reasons };
}

function toFourDecimals(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
