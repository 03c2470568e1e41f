// A page that follows a stream, and checks each update: what it shows is never older than the events that it was told, the
// events are those of the market, each once, in order, and nothing is another user's.

import { expect } from "bun:test";
import { positionOf } from "../../../../plugins/dashboard/stream-position.ts";
import { type StreamChoice, UpdateSource } from "../../../../plugins/dashboard/update-source.ts";
import type { Book, Connection, ContractRow, Frozen, Market } from "../../../../web/contract/market.ts";
import type { FeedEvent, Update } from "../../../../web/contract/update.ts";
import type { LiveWorld } from "./live-world.ts";

/** Small, so that updates have more to come. */
const LIMITS = { firstEvents: 3, events: 4 };

export class LivePage {
  choice: StreamChoice = { watched: [], events: "all" };
  readonly rows = new Map<string, ContractRow>();
  readonly books = new Map<string, Book>();
  markets: readonly Market[] = [];
  frozen: Frozen | null = null;
  connection: Connection | null = null;
  /** All that it has been told since it began anew. */
  readonly events: FeedEvent[] = [];
  /** The events are complete up to here. */
  sequence = 0;
  #position: string | null = null;
  #source: UpdateSource | null = null;

  constructor(private readonly world: LiveWorld) {}

  /** The next stream goes on after the last update. */
  reconnect(choice: StreamChoice = this.choice): void {
    this.choice = choice;
    for (const id of this.books.keys()) if (!choice.watched.includes(id)) this.books.delete(id);
    this.#source = null;
  }

  /** The page was loaded again. */
  reload(): void {
    this.reconnect();
    this.#position = null;
    this.rows.clear();
    this.books.clear();
    this.events.length = 0;
  }

  /** Reads one update. False: there is none. `now`: milliseconds. */
  read(now = 0): boolean {
    this.#source ??= new UpdateSource(this.world.live, this.choice, positionOf(this.#position), LIMITS);
    const update = this.#source.next(now);
    if (update === null) return false;
    this.#apply(JSON.parse(update.text) as Update);
    expect(this.#position).toBe(update.position);
    return true;
  }

  #apply(update: Update): void {
    this.#position = update.position;
    if (!update.continues) this.events.length = 0;
    this.events.push(...update.events);
    if (!update.continues) this.#beginAnew(update);
    else this.#goOn(update);
    if (update.isWhole) {
      this.rows.clear();
      this.books.clear();
    }
    for (const row of update.contracts) this.rows.set(row.contractId, row);
    for (const id of update.unlisted) this.rows.delete(id);
    for (const book of update.books) this.books.set(book.contractId, book);
    this.markets = update.markets ?? this.markets;
    this.connection = update.connection ?? this.connection;
    if (update.frozen !== undefined) this.frozen = update.frozen;
    this.#checkAges(update.events);
    this.#checkOwner();
  }

  #beginAnew({ isWhole, events, sequence }: Update): void {
    expect(isWhole).toBe(true);
    expect(events.length).toBeLessThanOrEqual(LIMITS.firstEvents);
    for (const event of events) this.#checkKnown(event);
    this.sequence = sequence;
  }

  /** The events are those of the market after the last update, as far as they are not lost. */
  #goOn({ events, missed, isWhole, sequence }: Update): void {
    const before = this.sequence;
    this.sequence = sequence;
    expect(events.length).toBeLessThanOrEqual(LIMITS.events);
    expect(missed === 0 || isWhole).toBe(true);
    for (const event of events) this.#checkKnown(event);
    const numbers = events.map(({ sequence }) => sequence);
    if (missed === 0) return expect(numbers).toEqual(this.#wantedAfter(before));
    if (this.choice.events === "all") expect(numbers.length + missed!).toBe(sequence - before);
    expect(numbers).toEqual(this.#wantedAfter(before).filter((number) => numbers.includes(number)));
  }

  #wantedAfter(before: number): number[] {
    const { events, watched } = this.choice;
    const isWanted = (contractId: unknown) =>
      events === "all" || events === "watched" && (contractId === undefined || watched.includes(contractId as string));
    return [...this.world.log.values()]
      .filter(({ sequence, data: { contractId } }) =>
        sequence > before && sequence <= this.sequence && isWanted(contractId)
      )
      .map(({ sequence }) => sequence);
  }

  #checkKnown({ sequence, type, data }: FeedEvent): void {
    const known = this.world.log.get(sequence);
    expect({ type, contractId: data["contractId"] }).toEqual({
      type: known?.type!,
      contractId: known?.data["contractId"],
    });
  }

  /** No row and no book is older than an event. */
  #checkAges(events: readonly FeedEvent[]): void {
    for (const { data: { contractId, lastPrice } } of events) {
      if (typeof lastPrice !== "number") continue;
      const shown = [this.rows.get(contractId as string), this.books.get(contractId as string)];
      for (const state of shown) if (state !== undefined) expect(state.lastPrice).toBeGreaterThanOrEqual(lastPrice);
    }
  }

  /** Without a user the page keeps what it has. */
  #checkOwner(): void {
    const { user } = this.world;
    if (user === null) return;
    for (const { data: { entityId } } of this.events) if (entityId !== undefined) expect(entityId).toBe(user);
    for (const { productName } of this.rows.values()) expect(productName).toEndWith(` of ${user}`);
    for (const { name } of this.markets) expect(name).toBe(`Market of ${user}`);
  }
}
