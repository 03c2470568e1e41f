// The hours that have been, of two nodes, from the points within them; the newest is under way. Keeps at least a year.

const HOURS_KEPT = 366 * 24;

/** For each of the two nodes. */
export type Pair = readonly [number, number];

/** Means over the points of an hour, cents/MWh. */
export interface PastHour {
  readonly time: number;
  readonly prices: Pair;
  readonly normals: Pair;
}

interface Hour {
  readonly time: number;
  /** Sums over all points but the newest. */
  readonly prices: [number, number];
  readonly normals: [number, number];
  points: number;
  newest: { readonly prices: Pair; readonly normals: Pair };
}

const NO_POINT = { prices: [0, 0], normals: [0, 0] } as const;

export class HourHistory {
  readonly #hours: Hour[] = [];

  /** Begins the hour at `time`, one hour after the one before. */
  begin(time: number): void {
    this.#hours.push({ time, points: 0, prices: [0, 0], normals: [0, 0], newest: NO_POINT });
    if (this.#hours.length > 2 * HOURS_KEPT) this.#hours.splice(0, HOURS_KEPT);
  }

  /** Adds a point to the hour under way: prices, and what is normal then. */
  add(prices: Pair, normals: Pair): void {
    const hour = this.#underWay();
    hour.points += 1;
    for (const node of [0, 1] as const) {
      hour.prices[node] += hour.newest.prices[node];
      hour.normals[node] += hour.newest.normals[node];
    }
    hour.newest = { prices, normals };
  }

  /** Puts a point in the place of the newest one. */
  replaceNewest(prices: Pair, normals: Pair): void {
    this.#underWay().newest = { prices, normals };
  }

  /** The last so many hours, the one under way included, oldest first. */
  last(hours: number): PastHour[] {
    return hours > 0 ? this.#hours.slice(-hours).map(meansOf) : [];
  }

  /** So many hours before the one under way; null where it is not known. */
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
  return { time, prices: mean(prices, newest.prices), normals: mean(normals, newest.normals) };
}
