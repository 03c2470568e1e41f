// What `mkt simulate` prints, as a value and as text. Nothing in it depends on the machine or the hour: the same run gives
// the same bytes.

import { megawattsOf } from "../market/units.ts";
import { type PersonaReport, personaReport } from "../personas/persona-report.ts";
import type { Figure } from "../personas/run-metrics.ts";
import type { SpotPrices } from "../spot/spot-prices.ts";
import type { HeadlessRun } from "./headless-run.ts";

export interface BookReport {
  readonly contractId: string;
  /** cents/MWh, as all prices here. */
  readonly bestBid: number | null;
  readonly bestAsk: number | null;
  readonly lastPrice: number | null;
  readonly forecast: number;
}

export interface SimulationReport {
  readonly preset: string;
  readonly seed: number;
  readonly steps: number;
  /** Simulated times. */
  readonly startedAt: string;
  readonly endedAt: string;
  readonly totals: {
    readonly personas: number;
    readonly workingOrders: number;
    readonly orders: number;
    readonly changes: number;
    readonly cancels: number;
    readonly rejected: number;
    /** Each once. */
    readonly trades: number;
    readonly volumeMw: number;
  };
  /** Percent. */
  readonly metrics: {
    readonly smithsAlpha: number | null;
    readonly allocativeEfficiency: number | null;
    readonly twoSidedBooks: number | null;
    readonly meanSpread: number | null;
  };
  /** Why a metric is null, by its name. */
  readonly reasons: Readonly<Record<string, string>>;
  readonly spot: readonly { readonly node: string; readonly price: number; readonly regime: string }[];
  /** Of the contracts that are traded at the end, the nearest delivery first. */
  readonly books: readonly BookReport[];
  readonly personas: readonly PersonaReport[];
}

export interface RunNames {
  readonly preset: string;
  readonly seed: number;
  readonly startTime: number;
}

export function simulationReport(run: HeadlessRun, spot: SpotPrices, names: RunNames): SimulationReport {
  const { metrics, forecasts } = run;
  const personas = run.personas.map((persona) => personaReport(persona, (contract) => run.markPrice(contract)));
  const sum = (count: (persona: PersonaReport) => number) =>
    personas.reduce((total, persona) => total + count(persona), 0);
  return {
    preset: names.preset,
    seed: names.seed,
    steps: run.steps,
    startedAt: isoTime(names.startTime),
    endedAt: isoTime(run.time),
    totals: {
      personas: personas.length,
      workingOrders: sum(({ workingOrders }) => workingOrders),
      orders: sum(({ orders }) => orders),
      changes: sum(({ changes }) => changes),
      cancels: sum(({ cancels }) => cancels),
      rejected: sum(({ rejected }) => rejected),
      trades: metrics.trades,
      volumeMw: megawattsOf(metrics.volume),
    },
    ...figures({
      smithsAlpha: metrics.smithsAlpha(),
      allocativeEfficiency: metrics.allocativeEfficiency(run.time),
      twoSidedBooks: metrics.twoSided(),
      meanSpread: metrics.spread(),
    }),
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

type MetricName = keyof SimulationReport["metrics"];

function figures(given: Readonly<Record<MetricName, Figure>>): Pick<SimulationReport, "metrics" | "reasons"> {
  const reasons: Record<string, string> = {};
  const valueOf = (name: MetricName) => {
    const figure = given[name];
    if (figure.value === null) reasons[name] = figure.reason;
    return figure.value === null ? null : rounded(figure.value);
  };
  const metrics = {
    smithsAlpha: valueOf("smithsAlpha"),
    allocativeEfficiency: valueOf("allocativeEfficiency"),
    twoSidedBooks: valueOf("twoSidedBooks"),
    meanSpread: valueOf("meanSpread"),
  };
  return { metrics, reasons };
}

/** To four decimals. */
function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

function isoTime(time: number): string {
  return new Date(time).toISOString();
}
