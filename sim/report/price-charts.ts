// Small multiples of the most traded contracts: the band between best bid and ask, trades and the best forecast, and the
// spread. And the volume of each contract.

import type { Chart } from "../../common/plot/chart.ts";
import type { Extent, Point } from "../../common/plot/layers.ts";
import { seriesTone } from "../../common/plot/svg.ts";
import { CENTS_PER_DOLLAR, megawattsOf } from "../../engine/market/units.ts";
import { HOUR_MS } from "../../protocol/time-units.ts";
import type { RecordedRun } from "./recorded-run.ts";
import type { ContractDigest, PriceBucket } from "./run-digest.ts";
import type { TimeBucket } from "./time-buckets.ts";

const SHOWN = 6;
const LISTED = 14;
/** Beyond this many times the distance from the median to the outer prices, an axis leaves prices out. */
const OUTER = 3;

interface ChartSize {
  readonly width: number;
}

/** The ids of the most traded contracts of all runs together. */
export function mostTraded(runs: readonly RecordedRun[], count = SHOWN): string[] {
  const volumes = new Map<string, number>();
  for (const { digest } of runs) {
    for (const { id, volume } of digest.contracts.values()) volumes.set(id, (volumes.get(id) ?? 0) + volume);
  }
  return [...volumes].filter(([, volume]) => volume > 0)
    .sort(([idA, a], [idB, b]) => b - a || (idA < idB ? -1 : 1)).slice(0, count).map(([id]) => id);
}

/** The ids of all contracts that had an order in some run, sorted: a run and its tape have them in different orders. */
export function quotedContracts(runs: readonly RecordedRun[]): string[] {
  const quoted = runs.flatMap(({ digest }) => [...digest.contracts.values()].filter(({ hasQuotes }) => hasQuotes));
  return [...new Set(quoted.map(({ id }) => id))].sort();
}

interface Curve {
  readonly band: readonly Extent[];
  readonly spread: readonly Point[];
  readonly trades: readonly Extent[];
  readonly forecast: readonly Point[];
}

/** For each run the prices and the spread of a contract, on the same scales. */
export function contractCharts(runs: readonly RecordedRun[], id: string, { width }: ChartSize): [Chart, Chart][] {
  const curves = runs.map(({ digest, description }) =>
    curveOf(digest.contracts.get(id), Date.parse(description.endedAt))
  );
  const prices = rangeOf(curves.flatMap(({ band, trades }) => [...ends(band), ...ends(trades)]));
  const spreads = rangeOf(curves.flatMap(({ spread }) => spread.flatMap(([, y]) => y ?? [])));
  return runs.map(({ digest, description, timezone }, at): [Chart, Chart] => {
    const { band, spread, trades, forecast } = curves[at] ?? { band: [], spread: [], trades: [], forecast: [] };
    const x = {
      kind: "time" as const,
      timezone,
      domain: [Date.parse(description.startedAt), Date.parse(description.endedAt)] as const,
    };
    return [
      {
        title: id,
        description: `Best bid and ask, trades and forecast of ${id}.`,
        x,
        y: { kind: "linear", label: "$/MWh", ...(prices === null ? {} : { domain: prices }) },
        layers: [
          { kind: "line", tone: "s3", name: "best forecast", points: forecast, width: 1.1 },
          { kind: "area", tone: "s0", name: "best bid to best ask", extents: band, isStepped: true, opacity: 0.5 },
          { kind: "sticks", tone: "s1", name: "trades", extents: trades, width: 1.4 },
        ],
        width,
        height: 210,
        left: 44,
        emptyText: "not quoted in this run",
      },
      {
        title: "",
        description: `Spread of ${id}.`,
        x,
        y: { kind: "linear", domain: [0, Math.max(0.01, spreads?.[1] ?? 1)] },
        layers: [{
          kind: "line",
          tone: seriesTone(0),
          name: meanSpread(digest.contracts.get(id)),
          points: spread,
          isStepped: true,
          width: 1.1,
        }],
        width,
        height: 104,
        left: 44,
        emptyText: "never two-sided",
      },
    ];
  });
}

function meanSpread(contract: ContractDigest | undefined): string {
  const mean = contract === undefined ? NaN : contract.spreadMs / contract.twoSidedMs / CENTS_PER_DOLLAR;
  return Number.isNaN(mean) ? "no spread" : `spread, mean ${mean.toFixed(2)} $/MWh`;
}

/** A value holds until the next one, and the last one until the end. */
function curveOf(contract: ContractDigest | undefined, end: number): Curve {
  const curve = { band: [] as Extent[], spread: [] as Point[], trades: [] as Extent[], forecast: [] as Point[] };
  let [bid, ask]: (number | null)[] = [null, null];
  const quote = (time: number) => {
    const isTwoSided = bid !== null && ask !== null;
    curve.band.push([
      time,
      isTwoSided ? (bid ?? 0) / CENTS_PER_DOLLAR : null,
      isTwoSided ? (ask ?? 0) / CENTS_PER_DOLLAR : null,
    ]);
    curve.spread.push([time, isTwoSided ? ((ask ?? 0) - (bid ?? 0)) / CENTS_PER_DOLLAR : null]);
  };
  const buckets: readonly TimeBucket<PriceBucket>[] = contract?.prices.upTo(end) ?? [];
  for (const { from, to, value } of buckets) {
    if (value.bid !== undefined) bid = value.bid;
    if (value.ask !== undefined) ask = value.ask;
    quote(from);
    const middle = Math.min(end, (from + to) / 2);
    if (value.low !== undefined && value.high !== undefined) {
      curve.trades.push([middle, value.low / CENTS_PER_DOLLAR, value.high / CENTS_PER_DOLLAR]);
    }
    if (value.forecast !== undefined) curve.forecast.push([from, value.forecast / CENTS_PER_DOLLAR]);
  }
  if (buckets.length > 0) quote(end);
  return curve;
}

function ends(extents: readonly Extent[]): number[] {
  return extents.flatMap(([, low, high]) => low === null || high === null ? [] : [low, high]);
}

/** From the least to the greatest value, without a few that would make the rest too small to see; null without values. */
function rangeOf(values: readonly number[]): readonly [number, number] | null {
  const sorted = Float64Array.from(values).sort();
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? NaN;
  if (sorted.length === 0) return null;
  const [low, median, high] = [at(0.01), at(0.5), at(0.99)];
  const least = Math.max(at(0), median - OUTER * (median - low));
  const most = Math.min(at(1), median + OUTER * (high - median));
  return most > least ? [least, most] : null;
}

/** MW of the most traded contracts of each run, on one scale. */
export function volumeByContract(runs: readonly RecordedRun[], { width }: ChartSize): Chart[] {
  const ids = mostTraded(runs, LISTED);
  const volumes = runs.map(({ digest }) => ids.map((id) => megawattsOf(digest.contracts.get(id)?.volume ?? 0)));
  const most = Math.max(1, ...volumes.flat());
  return runs.map(({ digest }, at) => ({
    title: "Volume by contract",
    description: "Megawatts traded in each of the most traded contracts.",
    x: { kind: "linear", domain: [0, most], label: "MW" },
    y: { kind: "names", names: ids },
    layers: [{
      kind: "boxes",
      tone: "s0",
      boxes: (volumes[at] ?? []).map((volume, row) => ({
        x: [0, volume],
        y: [row - 0.34, row + 0.34],
        title: `${ids[row]}: ${volume} MW in ${digest.contracts.get(ids[row] ?? "")?.trades ?? 0} trades`,
      })),
    }],
    width,
    height: 62 + ids.length * 17,
    emptyText: "nothing was traded",
  }));
}

const STEPS = [1, 2, 3, 4, 6, 8, 12, 24, 48, 168, 336, 720, 2_160, 8_760, 87_600];
const MOST_BARS = 96;

/** MW by time, split by who took the other's price, on one scale. */
export function volumeByTime(runs: readonly RecordedRun[], { width }: ChartSize): Chart[] {
  const hours = Math.max(1, ...runs.map(({ description }) => description.hours));
  const step = STEPS.find((each) => hours / each <= MOST_BARS) ?? hours;
  const bars = runs.map(({ digest }) => {
    const sums = Array.from({ length: Math.ceil(digest.hours.length / step) }, () => ({ bought: 0, sold: 0 }));
    digest.hours.forEach((hour, at) => {
      const sum = sums[Math.floor(at / step)];
      if (sum === undefined) return;
      sum.bought += hour.bought;
      sum.sold += hour.sold;
    });
    return sums.map(({ bought, sold }) => ({ bought: megawattsOf(bought), sold: megawattsOf(sold) }));
  });
  const most = Math.max(1, ...bars.flat().map(({ bought, sold }) => bought + sold));
  return runs.map(({ description, timezone }, at) => {
    const [start, end] = [Date.parse(description.startedAt), Date.parse(description.endedAt)];
    const width0 = step * HOUR_MS;
    const boxes = (of: (bar: { bought: number; sold: number }) => readonly [number, number]) =>
      (bars[at] ?? []).map((bar, place) => ({
        x: [start + (place + 0.08) * width0, Math.min(end, start + (place + 0.92) * width0)] as const,
        y: of(bar),
        title: `${bar.bought} MW bought, ${bar.sold} MW sold by takers`,
      }));
    return {
      title: step === 1 ? "Volume by hour" : `Volume by ${step} hours`,
      description: "Megawatts traded, split by the side of the order that caused the trade.",
      x: { kind: "time", timezone, domain: [start, end], label: `market time, ${timezone}` },
      y: { kind: "linear", domain: [0, most], label: "MW" },
      layers: [
        { kind: "boxes", tone: "buy", name: "a buyer took", boxes: boxes(({ bought }) => [0, bought]) },
        {
          kind: "boxes",
          tone: "sell",
          name: "a seller took",
          boxes: boxes(({ bought, sold }) => [bought, bought + sold]),
        },
      ],
      width,
      height: 230,
      emptyText: "nothing was traded",
    };
  });
}
