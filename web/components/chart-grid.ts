// The places of a chart's time axis, so that an hour is as wide as any other hour.
//
// The library draws the points of all series side by side, however far apart their times are. So each chart has a series
// without values, with a place every `step` seconds from the first point to the last, and each point is drawn at the place
// of its time. A time scale of our own (createChartEx) would not do: it changes how times are read and written, but points
// are still placed by their index. It costs a point without a value for each place, so their number is limited, and points
// before the first place are not drawn: with candles of a minute, those older than two weeks.

/** Seconds since 1970, multiples of `step`. */
export interface ChartGrid {
  /** Seconds between two places. */
  readonly step: number;
  /** The first place and the last one; without places `to` is before `from`. */
  readonly from: number;
  readonly to: number;
}

const MAX_PLACES = 20_000;
/** The first place moves on by so many at once, because all places are then drawn again. */
const CHUNK = 2_000;
/** A chart that does not say its step has about as many places as a wide screen has pixels. */
const STEPS = [60, 300, 900, 3_600, 21_600, 86_400];
const WANTED_PLACES = 2_100;

interface Timed {
  readonly points: readonly { readonly time: number }[];
}

/** Without points it has no places. */
export function gridOf(series: readonly Timed[], step?: number): ChartGrid {
  const ends = series.flatMap(({ points }) => points.length === 0 ? [] : [points[0]!.time, points.at(-1)!.time]);
  if (ends.length === 0) return { step: 1, from: 0, to: -1 };
  const [first, last] = [Math.min(...ends), Math.max(...ends)];
  const seconds = step ?? STEPS.find((each) => (last - first) / each <= WANTED_PLACES) ?? STEPS.at(-1)!;
  const to = placeOf(last, seconds);
  const chunk = CHUNK * seconds;
  const isCut = (last - first) / seconds >= MAX_PLACES;
  const from = isCut ? Math.ceil((to - MAX_PLACES * seconds) / chunk) * chunk : placeOf(first, seconds);
  return { step: seconds, from, to };
}

/** The place of a time. */
function placeOf(seconds: number, step: number): number {
  return Math.floor(seconds / step) * step;
}

/** The position of a time on the axis, in places from the first one. Between two it has a fraction; it may lie outside. */
export function indexOf(seconds: number, { from, step }: ChartGrid): number {
  return (seconds - from) / step;
}

export function placesOf({ from, to, step }: ChartGrid): number {
  return (to - from) / step + 1;
}

/** The places after `after`, the last one that is drawn already. */
export function pointsOf({ from, to, step }: ChartGrid, after = from - step): { time: number }[] {
  return Array.from({ length: Math.max(0, (to - after) / step) }, (_, at) => ({ time: after + (at + 1) * step }));
}

/** The points at their places, without those before the first place. Of several at one place, the last one stays. */
export function onGrid<Point extends { readonly time: number }>(points: readonly Point[], grid: ChartGrid): Point[] {
  const placed: Point[] = [];
  for (const point of points) {
    const time = placeOf(point.time, grid.step);
    if (time < grid.from) continue;
    if (placed.at(-1)?.time === time) placed.pop();
    placed.push({ ...point, time });
  }
  return placed;
}
