// The report of a headless simulation. It depends on nothing but the run: no clock, no machine.

import { type PersonaReport, personaReport, type RunTotals, runTotals } from "../personas/persona-report.ts";
import type { Figure, MetricName } from "../personas/run-metrics.ts";
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
  /** For each metric that is null, why. */
  readonly reasons: Readonly<Record<string, string>>;
  readonly spot: readonly { readonly node: string; readonly price: number; readonly regime: string }[];
  /** Books of the contracts traded at the end, nearest delivery first. */
  readonly books: readonly BookReport[];
  readonly personas: readonly PersonaReport[];
}

export function headlessReport(
  run: HeadlessRun,
  spot: SpotPrices,
  names: { readonly experiment: string; readonly seed: number; readonly startTime: number },
): HeadlessReport {
  const { metrics, forecasts } = run;
  const personas = run.personas.map((persona) => personaReport(persona, (contract) => run.markPrice(contract)));
  return {
    experiment: names.experiment,
    seed: names.seed,
    steps: run.steps,
    messages: run.messages,
    startedAt: new Date(names.startTime).toISOString(),
    endedAt: new Date(run.time).toISOString(),
    totals: runTotals(personas, metrics),
    ...valuesAndReasons(metrics.figures(run.time)),
    spot: spot.nodes.map((node) => {
      const { priceCents, regime } = spot.current(node);
      return { node, price: priceCents, regime };
    }),
    books: run.tradedNow.map((contract) => ({
      contractId: contract.id,
      ...run.book(contract),
      forecast: Math.round(forecasts.of(contract)),
    })),
    personas,
  };
}

function valuesAndReasons(
  figures: Readonly<Record<MetricName, Figure>>,
): Pick<HeadlessReport, "metrics" | "reasons"> {
  const metrics: Partial<Record<MetricName, number | null>> = {};
  const reasons: Record<string, string> = {};
  for (const [name, figure] of Object.entries(figures) as [MetricName, Figure][]) {
    metrics[name] = figure.value === null ? null : rounded(figure.value);
    if (figure.value === null) reasons[name] = figure.reason;
  }
  return { metrics: metrics as HeadlessReport["metrics"], reasons };
}

/** To four decimals. */
function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
