// The state of the market that the updates of a stream add up to, for windows that come later than the stream: what a page
// makes of updates (market-store.ts), without a page.
//
// A window is brought up to date by one update with the whole state and the events after its position. It goes on with its
// events only if they are of the same epoch and were seen as the same acting user. Cost: the size of the state.

import type { Book, ContractRow } from "../../contract/market.ts";
import type { FeedEvent, Update } from "../../contract/update.ts";
import { Ring } from "./ring.ts";
import { StreamLedger } from "./stream-ledger.ts";

/** Events kept for windows that could not follow for some time. */
const MAX_EVENTS = 20_000;
/** Events for a window that has none. */
const FIRST_EVENTS = 200;

type Parts = Pick<Update, "markets" | "connection" | "frozen" | "creditRevision">;

export class StreamState {
  /** Whether an update has come. */
  isKnown = false;
  readonly #ledger = new StreamLedger();
  readonly #events = new Ring<FeedEvent>(MAX_EVENTS);
  #contracts = new Map<string, ContractRow>();
  #books = new Map<string, Book>();
  #parts: Parts = {};

  /** Of the last update. */
  get position(): string | null {
    return this.#ledger.position;
  }

  take(update: Update): void {
    this.isKnown = true;
    const { isWhole, continues, contracts, unlisted, books, events } = this.#ledger.accept(update);
    if (isWhole) {
      this.#contracts = new Map();
      this.#books = new Map();
    }
    for (const row of contracts) this.#contracts.set(row.contractId, row);
    for (const id of unlisted) this.#contracts.delete(id);
    for (const book of books) this.#books.set(book.contractId, book);
    const { markets, connection, frozen, creditRevision } = update;
    this.#parts = {
      ...this.#parts,
      ...(markets !== undefined && { markets }),
      ...(connection !== undefined && { connection }),
      ...(frozen !== undefined && { frozen }),
      ...(creditRevision !== undefined && { creditRevision }),
    };
    if (!continues) this.#events.clear();
    for (const event of events) this.#events.add(event);
  }

  /** Forgets the books of all other contracts, because nothing more comes of them. */
  keepBooks(contracts: readonly string[]): void {
    for (const id of this.#books.keys()) if (!contracts.includes(id)) this.#books.delete(id);
  }

  /** An update for a window whose last one had this position; null: for one that has had none. */
  since(position: string | null, watched: readonly string[]): Update {
    const after = eventsOf(position);
    const continues = after !== null && this.#continues(after);
    const all = [...this.#events.oldestFirst()];
    const events = continues ? all.filter(({ sequence }) => sequence > after.sequence) : all.slice(-FIRST_EVENTS);
    return {
      ...this.#nothingNew(),
      // Without a connection to the market a stream that goes on has no state yet.
      isWhole: this.#ledger.wholes > 0,
      continues,
      missed: continues ? Math.max(0, this.#ledger.sequence - after.sequence - events.length) : 0,
      events,
      contracts: [...this.#contracts.values()],
      books: this.#booksOf(watched),
      ...this.#parts,
    };
  }

  /** An update with the books of these contracts, as far as they are known; null if none is. */
  booksUpdate(contracts: readonly string[]): Update | null {
    const books = this.#booksOf(contracts);
    return books.length === 0 ? null : { ...this.#nothingNew(), books };
  }

  #nothingNew(): Update {
    const { sequence, position, epoch } = this.#ledger;
    const empty = { events: [], contracts: [], unlisted: [], books: [] };
    return { sequence, position, epoch, isWhole: false, continues: true, missed: 0, ...empty };
  }

  #booksOf(contracts: readonly string[]): Book[] {
    return contracts.flatMap((id) => this.#books.get(id) ?? []);
  }

  #continues({ epoch, user }: EventPosition): boolean {
    const own = eventsOf(this.position);
    return own !== null && own.epoch === epoch && own.user === user;
  }
}

/** What a position says of events (web/contract/update.ts). */
interface EventPosition {
  readonly epoch: string;
  readonly sequence: number;
  readonly user: string | undefined;
}

function eventsOf(position: string | null): EventPosition | null {
  const [epoch, sequence, user] = position?.split(".") ?? [];
  return epoch === undefined ? null : { epoch, sequence: Number(sequence), user };
}

/** The same place among the events, from which a stream begins with the whole state. */
export function wholeFrom(position: string | null): string | null {
  const { epoch, sequence, user } = eventsOf(position) ?? {};
  if (epoch === undefined) return null;
  return `${epoch}.${sequence}${user === undefined ? "" : `.${user}.0.0`}`;
}
