// Reads what the market was at earlier times: the present once, then the events from it back to the earliest time that is asked
// for. It never tells of a time before which an event could be missing.
//
// Cost: a request for some 200 to 1,000 events, at most MAX_READS of them and about MAX_EVENTS events.

import type { Past, PastEvent, PastStart } from "../../../contract/past.ts";
import { booksThen, lastPricesThen, type Nets, netsThen, statusThen } from "./market-then.ts";
import { ordersThen, toKilowatts } from "./orders-then.ts";

/** Of the reader; enough for hours of a busy contract, and for minutes of a busy market. */
const MAX_EVENTS = 10_000;
const MAX_READS = 50;

/** A contract that an entity trades all the time has no position that could be read together with the orders. */
const MAX_TRIES = 3;

/** What an entity has traded of a contract, MW. */
export interface Traded {
  readonly bought: number;
  readonly sold: number;
}

/** What the reader asks, which fails as requests do. */
export interface PastSource {
  readonly get: <Answer>(path: string) => Promise<Answer>;
  /** By contract, all that has been traded. Null: it can't be read. */
  readonly traded: (entityId: string) => Promise<ReadonlyMap<string, Traded> | null>;
}

const NOTHING: Traded = { bought: 0, sold: 0 };

export interface Subject {
  /** Null: all contracts. */
  readonly contractId: string | null;
  /** Whose positions are asked for; null: nobody's. */
  readonly entityId: string | null;
}

export class PastReader {
  #start: PastStart | null = null;
  /** Of now. Null: unknown, or not asked for. */
  #nets: Nets | null = null;
  #events: PastEvent[] = [];
  /** Of the search for events; null: it has come to the oldest one. */
  #cursor: string | null = "";
  #reads = 0;
  /** Everything after this time has been read, milliseconds. */
  #knownFrom = Infinity;

  /** `present`: milliseconds. What comes later is not read, so of a later time nothing is known. */
  constructor(
    private readonly source: PastSource,
    private readonly subject: Subject,
    readonly present: number,
  ) {}

  /** The time, in milliseconds, from which on the trail has events. Null: not known yet, or there are none. */
  get oldest(): number | null {
    const oldest = this.#start?.oldest ?? null;
    return oldest === null ? null : Date.parse(oldest);
  }

  /** Everything after this time has been read, milliseconds. */
  get knownFrom(): number {
    return this.#knownFrom;
  }

  /** Events that it has read. */
  get read(): number {
    return this.#events.length;
  }

  /** Whether it will read no further back, though there are older events. */
  get isFull(): boolean {
    return this.#cursor !== null && (this.#events.length >= MAX_EVENTS || this.#reads >= MAX_READS);
  }

  knows(at: number): boolean {
    return at >= this.#knownFrom && at <= this.present;
  }

  /** Whether another step would bring it nearer to `at`. */
  needs(at: number): boolean {
    return this.#start === null || (at < this.#knownFrom && this.#cursor !== null && !this.isFull);
  }

  /** Reads the present, then some events further back. Throws as the source does, and can go on afterwards. */
  async step(): Promise<void> {
    if (this.#start === null) await this.#begin();
    else await this.#read();
  }

  async #begin(): Promise<void> {
    let start: PastStart;
    for (let tries = 1;; tries++) {
      const before = await this.#traded();
      start = await this.source.get<PastStart>(this.#startPath());
      const after = await this.#traded();
      this.#nets = before === null || after === null ? null : netsOf(before, after);
      const isSure = this.#nets === null || !this.#nets.values().some((net) => net === null);
      if (isSure || tries === MAX_TRIES) break;
    }
    this.#start = start;
    if (start.to === null) this.#cursor = null;
  }

  async #traded(): Promise<ReadonlyMap<string, Traded> | null> {
    const { contractId, entityId } = this.subject;
    const traded = entityId === null ? null : await this.source.traded(entityId);
    if (traded === null || contractId === null) return traded;
    return new Map([...traded].filter(([id]) => id === contractId));
  }

  #startPath(): string {
    const { contractId } = this.subject;
    return `/dashboard/past/orders${contractId === null ? "" : `?contract=${encodeURIComponent(contractId)}`}`;
  }

  async #read(): Promise<void> {
    const { contractId } = this.subject;
    const { oldest, to } = this.#start!;
    const asked = new URLSearchParams({
      from: oldest!,
      to: to!,
      ...(contractId !== null && { contract: contractId }),
      ...(this.#cursor !== "" && { cursor: this.#cursor! }),
    });
    const { events, cursor, searchedTo } = await this.source.get<Past>(`/dashboard/past?${asked}`);
    // A trail that is full forgets its oldest events, perhaps while they were being read.
    const knownFrom = searchedTo ?? (await this.source.get<PastStart>(this.#startPath())).oldest;
    this.#reads += 1;
    this.#events.push(...events);
    this.#cursor = cursor;
    this.#knownFrom = Date.parse(knownFrom ?? to!);
  }

  /** The market as it was; null: that is not known. `marketOf`: the market of a contract, if it is known. */
  at(at: number, marketOf: (contractId: string) => string | undefined) {
    if (this.#start === null || !this.knows(at)) return null;
    const { orders: now, lastPrices, ...known } = this.#start;
    const statusOfMarket = (contractId: string) => {
      const marketId = marketOf(contractId);
      return marketId === undefined ? null : statusThen(at, marketId, known);
    };
    const hasMatched = (contractId: string) => {
      const status = statusOfMarket(contractId);
      return status === null ? null : status === "open";
    };
    const { orders, unsure } = ordersThen(at, now, this.#events, hasMatched);
    const { contractId, entityId } = this.subject;
    return {
      books: booksThen(orders),
      held: orders.filter(({ isHeld }) => isHeld).length,
      /** Orders of which it is unknown whether they were in the book. */
      unsure,
      lastPrices: lastPricesThen(at, lastPrices, this.#events),
      status: contractId === null ? null : statusOfMarket(contractId),
      /** Of the subject's entity; null: unknown, or not asked for. */
      nets: this.#nets === null ? null : netsThen(at, this.#nets, entityId!, this.#events),
    };
  }
}

/** Of what was read `before` and `after` the orders: if a fill came between, nobody knows whether it is among the events. */
function netsOf(before: ReadonlyMap<string, Traded>, after: ReadonlyMap<string, Traded>): Nets {
  return new Map([...after].map(([id, { bought, sold }]) => {
    const earlier = before.get(id) ?? NOTHING;
    return [id, earlier.bought === bought && earlier.sold === sold ? toKilowatts(bought - sold) : null];
  }));
}
