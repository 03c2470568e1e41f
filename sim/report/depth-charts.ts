// Books at some times: how much is bid and offered up to each price.

import type { Chart } from "../../common/plot/chart.ts";
import type { Extent } from "../../common/plot/layers.ts";
import { localTime } from "../../common/plot/time-marks.ts";
import { CENTS_PER_DOLLAR } from "../../engine/market/units.ts";
import type { BookLevels, BookLook } from "./book-looks.ts";
import type { RecordedRun } from "./recorded-run.ts";

const CONTRACTS = 2;
const AREA = { kind: "area", isStepped: true, opacity: 0.45 } as const;

/** Of one contract, for each run a chart for each look. */
interface ContractBooks {
  readonly id: string;
  readonly runs: readonly (readonly Chart[])[];
}

/** The books of the first contracts that have some, on the same scales in all runs. */
export function depthCharts(runs: readonly RecordedRun[], ids: readonly string[], width: number): ContractBooks[] {
  const looks = runs.map(({ digest, description }) => digest.books.shown(Date.parse(description.endedAt)));
  // Contracts that are in delivery at some of the times come last.
  const missing = (id: string) => looks.flat().filter(({ books }) => !books.has(id)).length;
  return ids.toSorted((a, b) => missing(a) - missing(b)).slice(0, CONTRACTS).map((id) => {
    const books = looks.map((each) => each.map((look) => look.books.get(id) ?? { bids: [], asks: [] }));
    const prices = books.flat().flatMap(({ bids, asks }) =>
      [...bids, ...asks].map(([price]) => price / CENTS_PER_DOLLAR)
    );
    const [least, most] = [Math.min(...prices), Math.max(...prices)];
    const margin = Math.max(0.01, (most - least) / 30);
    const domain = prices.length === 0 ? null : [least - margin, most + margin] as const;
    const highest = Math.max(1, ...books.flat().flatMap(({ bids, asks }) => [amountOf(bids), amountOf(asks)]));
    const chartOf = (book: BookLevels, look: BookLook, timezone: string): Chart => ({
      title: localTime(look.time, timezone),
      description: `Megawatts bid at each price or above, and offered at each price or below, in ${id}.`,
      x: { kind: "linear", label: "$/MWh", ...(domain === null ? {} : { domain }) },
      y: { kind: "linear", label: "MW, up to this price", domain: [0, highest] },
      layers: [
        { ...AREA, tone: "buy", name: "bids", extents: bidSteps(book, domain?.[0] ?? 0) },
        { ...AREA, tone: "sell", name: "asks", extents: askSteps(book, domain?.[1] ?? 0) },
      ],
      width,
      height: 190,
      emptyText: "no orders: not listed yet, or delivered",
    });
    return {
      id,
      runs: runs.map(({ timezone }, run) =>
        (looks[run] ?? []).flatMap((look, at) => {
          const book = books[run]?.[at];
          return book === undefined ? [] : [chartOf(book, look, timezone)];
        })
      ),
    };
  });
}

/** Megawatts that are bid at each price or above, from the left. */
function bidSteps({ bids }: BookLevels, left: number): Extent[] {
  const sums = sumsOf(bids);
  if (sums.length === 0) return [];
  const steps = sums.map(([price], at): Extent => [price, 0, sums[at - 1]?.[1] ?? 0]);
  return [[left, 0, sums.at(-1)?.[1] ?? 0], ...steps.toReversed()];
}

/** Megawatts that are offered at each price or below, from the left. */
function askSteps({ asks }: BookLevels, right: number): Extent[] {
  const sums = sumsOf(asks);
  const steps = sums.map(([price, sum]): Extent => [price, 0, sum]);
  return steps.length === 0 ? [] : [...steps, [right, 0, sums.at(-1)?.[1] ?? 0]];
}

/** Dollars/MWh with the megawatts up to this level, from the best level on. */
function sumsOf(levels: BookLevels["bids"]): [price: number, megawatts: number][] {
  let sum = 0;
  return levels.map(([price, megawatts]) => [price / CENTS_PER_DOLLAR, sum += megawatts]);
}

function amountOf(levels: BookLevels["bids"]): number {
  return levels.reduce((sum, [, megawatts]) => sum + megawatts, 0);
}
