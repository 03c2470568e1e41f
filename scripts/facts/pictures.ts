// The pictures of docs/simulator.md: what they show is measured on tapes, and drawn from these figures alone.

import { chartAsSvg, type ChartLine, COLOURS } from "./chart.ts";
import { tradedContracts } from "./figure.ts";
import { tradesByHour } from "./activity.ts";
import { binsBySize, impactsIn } from "./impact.ts";
import { midAt, midsByMinute } from "./market-minutes.ts";
import { autocorrelation, changesOf, medianOfPresent } from "./series.ts";
import { BEST, type Tape } from "./tape.ts";

/** Of one preset. */
export interface PictureFigures {
  /** Of tomorrow's base at the first node, every five minutes from the start of the run: dollars/MWh, null if missing. */
  readonly mids: readonly (number | null)[];
  readonly forecasts: readonly (number | null)[];
  /** By hour of the local day. */
  readonly trades: readonly number[];
  /** In mean sizes and mean spreads. */
  readonly impacts: readonly { readonly size: number; readonly immediate: number; readonly tenMinutes: number }[];
  /** Medians over contracts, from lag 1 on. */
  readonly returns: readonly number[];
  readonly returnSizes: readonly number[];
  readonly signs: readonly number[];
}

const LAGS = Array.from({ length: 60 }, (_, at) => at + 1);
const SIGN_LAGS = LAGS.slice(0, 30);
const STEP_HOURS = 1 / 12;
const CENTS = 100;

/** Of a run that begins at midnight. */
export function pictureFigures(tape: Tape): PictureFigures {
  const ids = tradedContracts(tape);
  const mids = ids.flatMap((id) => {
    const [quotes, contract] = [tape.quotes.get(id), tape.contracts.get(id)];
    return quotes === undefined || contract === undefined ? [] : [midsByMinute(quotes, contract, tape.minutes)];
  });
  const returns = mids.map((each) => changesOf(each));
  const sizes = returns.map((each) => each.map(Math.abs));
  const signs = ids.map((id) => tape.trades.get(id)!.signs);
  const medians = (series: readonly Float64Array[], lags: readonly number[]) =>
    lags.map((lag) => rounded(medianOfPresent(series.map((each) => autocorrelation(each, lag)))));
  return {
    ...baseFigures(tape),
    trades: [...tradesByHour(tape).trades].map(rounded),
    impacts: binsBySize(ids.flatMap((id) => impactsIn(tape, id))).map(({ size, immediate, tenMinutes }) => ({
      size: rounded(size),
      immediate: rounded(immediate),
      tenMinutes: rounded(tenMinutes),
    })),
    returns: medians(returns, LAGS),
    returnSizes: medians(sizes, LAGS),
    signs: medians(signs, SIGN_LAGS),
  };
}

/** Contents by file name in docs. */
export function pictures(presets: Readonly<Record<string, PictureFigures>>): ReadonlyMap<string, string> {
  const all = Object.entries(presets);
  const lines = (of: (figures: PictureFigures) => ChartLine["points"]) =>
    all.map(([name, figures], at): ChartLine => ({ name, colour: COLOURS[at]!, points: of(figures) }));
  const drawn = (some: readonly string[], kind: string, draw: (name: string, figures: PictureFigures) => string) =>
    some.flatMap((name): [string, string][] => {
      const figures = presets[name];
      return figures === undefined ? [] : [[`facts-${kind}-${name}.svg`, draw(name, figures)]];
    });
  return new Map([
    ...drawn(["calm", "stress"], "price", priceChart),
    ["facts-hours.svg", hoursChart(lines(({ trades }) => trades.map((each, hour) => [hour, each])))],
    [
      "facts-impact.svg",
      impactChart(lines(({ impacts }) => impacts.map(({ size, immediate }) => [size, immediate]))),
    ],
    ...drawn(["volatile"], "memory", memoryChart),
  ]);
}

function priceChart(name: string, { mids, forecasts }: PictureFigures): string {
  const points = (prices: PictureFigures["mids"]) =>
    prices.flatMap((price, step) => price === null ? [] : [[rounded(step * STEP_HOURS), price] as const]);
  return chartAsSvg({
    title: `Tomorrow's base, $/MWh: ${name}`,
    unit: "hour of the day",
    lines: [
      { name: "best forecast", colour: COLOURS[1], points: points(forecasts) },
      { name: "mid", colour: COLOURS[0], points: points(mids) },
    ],
    markEvery: 4,
    fromZero: false,
  });
}

function hoursChart(lines: readonly ChartLine[]): string {
  return chartAsSvg({
    title: "Trades in each hour of the day",
    unit: "local hour",
    lines,
    markEvery: 4,
    fromZero: true,
  });
}

function impactChart(lines: readonly ChartLine[]): string {
  return chartAsSvg({
    title: "Immediate impact of a trade, in spreads",
    unit: "size of the trade / mean size",
    lines,
    isLogarithmic: true,
    fromZero: true,
  });
}

function memoryChart(name: string, { returns, returnSizes, signs }: PictureFigures): string {
  const points = (values: readonly number[]) => values.map((value, at) => [at + 1, value] as const);
  return chartAsSvg({
    title: `Autocorrelations: ${name}`,
    unit: "lag: minutes, or trades",
    lines: [
      { name: "1-min returns", colour: COLOURS[0], points: points(returns) },
      { name: "their size", colour: COLOURS[1], points: points(returnSizes) },
      { name: "trade signs", colour: COLOURS[2], points: points(signs) },
    ],
    markEvery: 10,
    fromZero: true,
  });
}

function baseFigures(tape: Tape): Pick<PictureFigures, "mids" | "forecasts"> {
  const base = [...tape.contracts.values()].find(({ kind, id }) => kind === "base" && tape.quotes.has(id));
  const quotes = tape.quotes.get(base?.id ?? "");
  const best = tape.forecasts.get(base?.id ?? "")?.get(BEST);
  if (base === undefined || quotes === undefined || best === undefined) return { mids: [], forecasts: [] };
  const rows = [...best.times.keys()].filter((row) => best.times[row]! < base.deliveryStart);
  return {
    mids: rows.map((row) => dollars(midAt(quotes, best.times[row]!))),
    forecasts: rows.map((row) => dollars(best.prices[row]!)),
  };
}

function dollars(cents: number): number | null {
  return Number.isNaN(cents) ? null : rounded(cents / CENTS);
}

/** Three decimals. */
function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
