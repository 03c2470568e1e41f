// What the page of events shows: the newest events that pass a filter, and whether the view is paused. Adding events costs as
// much as those events, however many are kept. A change of the filter, a pause and its end each look at all kept events once.

import type { FeedEvent } from "../../contract/update.ts";
import { Ring } from "./ring.ts";

export const CATEGORIES = ["order", "fill", "pricing", "market", "credit", "system", "other"] as const;
export type Category = (typeof CATEGORIES)[number];

/** In the place of events that the page did not get. */
interface Gap {
  readonly kind: "gap";
  /** The first event after the gap. */
  readonly sequence: number;
  /** Null: unknown. */
  readonly missed: number | null;
}

export type FeedEntry = FeedEvent | Gap;

export interface FeedFilter {
  readonly hidden: ReadonlySet<Category>;
  /** Words that an event must all have, in any case. Empty: any event. */
  readonly text: string;
}

/** What an update says of its events. */
interface Arrival {
  /** Events that are missing before them; null: unknown. */
  readonly missed: number | null;
  /** False: they do not go on after the events before, so those are forgotten. */
  readonly continues: boolean;
}

interface Paused {
  readonly kept: Ring<FeedEntry>;
  readonly counts: Readonly<Record<Category, number>>;
  arrived: number;
}

export class EventFeed {
  #kept: Ring<FeedEntry>;
  /** The entries that are shown. */
  #shown: Ring<FeedEntry>;
  #counts = noCounts();
  #paused: Paused | null = null;
  #filter: FeedFilter = { hidden: new Set(), text: "" };
  #words: readonly string[] = [];
  /** Events since the feed began. */
  received = 0;

  /** `nameOf`: the name of an entity, which is searched too. */
  constructor(
    readonly maxKept: number,
    readonly maxShown: number,
    readonly nameOf: (entityId: string) => string = () => "",
  ) {
    this.#kept = new Ring(maxKept);
    this.#shown = new Ring(maxShown);
  }

  get isPaused(): boolean {
    return this.#paused !== null;
  }

  /** Events that have arrived since the pause; 0 if there is none. */
  get arrived(): number {
    return this.#paused?.arrived ?? 0;
  }

  /** Kept events of each category, as they were when the pause began. */
  get counts(): Readonly<Record<Category, number>> {
    return this.#paused?.counts ?? { ...this.#counts };
  }

  get length(): number {
    return this.#shown.length;
  }

  /** 0: the newest entry that passes the filter. */
  at(index: number): FeedEntry | undefined {
    return this.#shown.at(index);
  }

  /** Oldest first. */
  add(events: readonly FeedEvent[], { missed, continues }: Arrival): void {
    const hadEvents = this.#kept.length > 0;
    if (!continues) this.#forget();
    const [first] = events;
    // What was before the first events is not missing.
    if (hadEvents && first !== undefined && (!continues || missed !== 0)) {
      this.#keep({ kind: "gap", sequence: first.sequence, missed: continues ? missed : null });
    }
    for (const event of events) this.#keep(event);
    this.received += events.length;
    if (this.#paused !== null) this.#paused.arrived += events.length;
  }

  setFilter(filter: FeedFilter): void {
    this.#filter = filter;
    this.#words = filter.text.toLowerCase().split(/\s+/).filter((word) => word !== "");
    this.#choose(this.#paused?.kept ?? this.#kept);
  }

  /** From now on nothing moves. */
  pause(): void {
    this.#paused ??= { kept: this.#kept.copy(), counts: { ...this.#counts }, arrived: 0 };
  }

  /** Shows what has arrived meanwhile. Returns how many of those events are no longer kept. */
  resume(): number {
    const arrived = this.arrived;
    this.#paused = null;
    this.#choose(this.#kept);
    return Math.max(0, arrived - this.maxKept);
  }

  /** A paused view stays. */
  #forget(): void {
    this.#kept = new Ring(this.maxKept);
    this.#counts = noCounts();
    if (this.#paused === null) this.#shown = new Ring(this.maxShown);
  }

  #keep(entry: FeedEntry): void {
    const gone = this.#kept.add(entry);
    if (gone !== undefined && !isGap(gone)) this.#counts[gone.category]--;
    if (!isGap(entry)) this.#counts[entry.category]++;
    if (this.#paused === null && this.#passes(entry)) this.#shown.add(entry);
  }

  #choose(kept: Ring<FeedEntry>): void {
    const found: FeedEntry[] = [];
    for (let index = 0; index < kept.length && found.length < this.maxShown; index++) {
      const entry = kept.at(index)!;
      if (this.#passes(entry)) found.push(entry);
    }
    this.#shown = new Ring(this.maxShown);
    for (const entry of found.reverse()) this.#shown.add(entry);
  }

  #passes(entry: FeedEntry): boolean {
    if (isGap(entry)) return true;
    if (this.#filter.hidden.has(entry.category)) return false;
    if (this.#words.length === 0) return true;
    const text = searchedText(entry, this.nameOf);
    return this.#words.every((word) => text.includes(word));
  }
}

export function isGap(entry: FeedEntry): entry is Gap {
  return "kind" in entry;
}

/** Type, number, every text and number of the event, and the names of its entities; in lower case. */
function searchedText({ type, sequence, data }: FeedEvent, nameOf: (entityId: string) => string): string {
  let text = `${type} ${sequence}`;
  for (const [property, value] of Object.entries(data)) {
    if (typeof value === "string") {
      text += ` ${value}`;
      if (property.endsWith("ntityId") || property === "counterpartyId") text += ` ${nameOf(value)}`;
    } else if (typeof value === "number") text += ` ${value}`;
  }
  return text.toLowerCase();
}

function noCounts(): Record<Category, number> {
  return Object.fromEntries(CATEGORIES.map((category) => [category, 0])) as Record<Category, number>;
}
