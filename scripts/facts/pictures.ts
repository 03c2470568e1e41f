// The pictures of docs/simulator.md: what they show is measured on tapes, and drawn from these figures alone.

import type { Axis } from "../../common/plot/axis.ts";
import type { Layer } from "../../common/plot/layers.ts";
import { pictureSvg } from "../../common/plot/picture.ts";
import { seriesTone } from "../../common/plot/svg.ts";
import { thousandths } from "../../common/rounding.ts";
import { CENTS_PER_DOLLAR } from "../../engine/market/units.ts";
import { tradedContracts } from "../../sim/facts/figure.ts";
import { tradesByHour } from "../../sim/facts/activity.ts";
import { binsBySize, impactsIn } from "../../sim/facts/impact.ts";
import { midAt, midsByMinute } from "../../sim/facts/market-minutes.ts";
import { autocorrelation, changesOf, medianOfPresent } from "../../sim/facts/series.ts";
import { BEST, type Tape } from "../../sim/facts/recorded-tape.ts";

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
const SIZE = { width: 640, height: 300 };

type Points = readonly (readonly [x: number, y: number])[];

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
    lags.map((lag) => thousandths(medianOfPresent(series.map((each) => autocorrelation(each, lag)))));
  return {
    ...baseFigures(tape),
    trades: [...tradesByHour(tape).trades].map(thousandths),
    impacts: binsBySize(ids.flatMap((id) => impactsIn(tape, id))).map(({ size, immediate, tenMinutes }) => ({
      size: thousandths(size),
      immediate: thousandths(immediate),
      tenMinutes: thousandths(tenMinutes),
    })),
    returns: medians(returns, LAGS),
    returnSizes: medians(sizes, LAGS),
    signs: medians(signs, SIGN_LAGS),
  };
}

/** Contents by file name in docs. */
export function pictures(presets: Readonly<Record<string, PictureFigures>>): ReadonlyMap<string, string> {
  const all = Object.entries(presets);
  const lines = (of: (figures: PictureFigures) => Points) =>
    all.map(([name, figures], at) => lineOf(name, at, of(figures)));
  const drawn = (some: readonly string[], kind: string, draw: (name: string, figures: PictureFigures) => string) =>
    some.flatMap((name): [string, string][] => {
      const figures = presets[name];
      return figures === undefined ? [] : [[`facts-${kind}-${name}.svg`, draw(name, figures)]];
    });
  return new Map([
    ...drawn(["calm", "stress"], "price", pricePicture),
    ["facts-hours.svg", hoursPicture(lines(({ trades }) => trades.map((each, hour) => [hour, each])))],
    [
      "facts-impact.svg",
      impactPicture(lines(({ impacts }) => impacts.map(({ size, immediate }) => [size, immediate]))),
    ],
    ...drawn(["volatile"], "memory", memoryPicture),
  ]);
}

function lineOf(name: string, at: number, points: Points): Extract<Layer, { kind: "line" }> {
  return { kind: "line", name, tone: seriesTone(at), points };
}

function pricePicture(name: string, { mids, forecasts }: PictureFigures): string {
  const points = (prices: PictureFigures["mids"]) =>
    prices.flatMap((price, step) => price === null ? [] : [[thousandths(step * STEP_HOURS), price] as const]);
  return pictureOf({
    title: `Tomorrow's base: ${name}`,
    description: "The best forecast and the middle of the book, every five minutes.",
    x: { kind: "linear", label: "hour of the day", markEvery: 4 },
    y: { kind: "linear", label: "$/MWh" },
    layers: [lineOf("mid", 0, points(mids)), { ...lineOf("best forecast", 1, points(forecasts)), isDashed: true }],
  });
}

function hoursPicture(layers: readonly Layer[]): string {
  return pictureOf({
    title: "Trades in each hour of the day",
    x: { kind: "linear", label: "local hour", markEvery: 4 },
    y: { kind: "linear", fromZero: true },
    layers,
  });
}

function impactPicture(layers: readonly Layer[]): string {
  return pictureOf({
    title: "Immediate impact of a trade",
    x: { kind: "logarithmic", label: "size of the trade / mean size" },
    y: { kind: "linear", label: "spreads", fromZero: true },
    layers,
  });
}

function memoryPicture(name: string, { returns, returnSizes, signs }: PictureFigures): string {
  const points = (values: readonly number[]) => values.map((value, at) => [at + 1, value] as const);
  return pictureOf({
    title: `Autocorrelations: ${name}`,
    x: { kind: "linear", label: "lag: minutes, or trades", markEvery: 10 },
    y: { kind: "linear", fromZero: true },
    layers: [
      lineOf("1-min returns", 0, points(returns)),
      lineOf("their size", 1, points(returnSizes)),
      lineOf("trade signs", 2, points(signs)),
    ],
  });
}

function pictureOf(
  chart: {
    readonly title: string;
    readonly description?: string;
    readonly x: Axis;
    readonly y: Axis;
    readonly layers: readonly Layer[];
  },
): string {
  const { title, description } = chart;
  return pictureSvg({ title, ...(description === undefined ? {} : { description }), rows: [[{ ...chart, ...SIZE }]] });
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
  return Number.isNaN(cents) ? null : thousandths(cents / CENTS_PER_DOLLAR);
}
