// Past hours of two nodes, from the points within them; the newest hour is in progress. Keeps at least a year.

const HOURS_KEPT = 366 * 24;

/** One value for each node. */
export type Pair = readonly [number, number];

/** Means over the points of an hour, in cents/MWh. */
export interface PastHour {
  readonly time: number;
  /** How many points of the hour there are so far. */
  readonly points: number;
  readonly prices: Pair;
  readonly normals: Pair;
}

interface Hour {
  readonly time: number;
  /** Sums over all points except the newest. */
  readonly prices: [number, number];
  readonly normals: [number, number];
  points: number;
  newest: { readonly prices: Pair; readonly normals: Pair };
}

const NO_POINT = { prices: [0, 0], normals: [0, 0] } as const;

export class HourHistory {
  readonly #hours: Hour[] = [];

  /** Begins the hour at `time`, which must follow the previous one. */
  begin(time: number): void {
    this.#hours.push({ time, points: 0, prices: [0, 0], normals: [0, 0], newest: NO_POINT });
    if (this.#hours.length > 2 * HOURS_KEPT) this.#hours.splice(0, HOURS_KEPT);
  }

  /** Adds a point to the hour in progress: prices and normal prices. */
  add(prices: Pair, normals: Pair): void {
    const hour = this.#underWay();
    hour.points += 1;
    for (const node of [0, 1] as const) {
      hour.prices[node] += hour.newest.prices[node];
      hour.normals[node] += hour.newest.normals[node];
    }
    hour.newest = { prices, normals };
  }

  /** Replaces the newest point. */
  replaceNewest(prices: Pair, normals: Pair): void {
    this.#underWay().newest = { prices, normals };
  }

  /** The last hours, including the one in progress, oldest first. */
  last(hours: number): PastHour[] {
    return hours > 0 ? this.#hours.slice(-hours).map(meansOf) : [];
  }

  /** The hour this many hours before the one in progress; null if unknown. */
  before(hours: number): PastHour | null {
    const hour = this.#hours[this.#hours.length - 1 - hours];
    return hour === undefined ? null : meansOf(hour);
  }

  #underWay(): Hour {
    const hour = this.#hours.at(-1);
    if (hour === undefined) throw new Error("no hour has begun");
    return hour;
  }
}

function meansOf({ time, points, prices, normals, newest }: Hour): PastHour {
  const mean = (sums: Pair, last: Pair): Pair => [(sums[0] + last[0]) / points, (sums[1] + last[1]) / points];
  return { time, points, prices: mean(prices, newest.prices), normals: mean(normals, newest.normals) };
}
