// What the streams of all pages share: JSON texts of the state, each made once for each of its changes. State is
// compared, not derived from events: so a change without an event is sent too, and a cut can't leave an old price on
// the page.
//
// Nothing is read unless this process has connected as a user; then it is what that user may see. Another user, or the user's
// market on another engine, gets other marks, so no stream goes on with the rows of the one before.

import { safeJson } from "../../common/safe-text.ts";
import type { BufferedEvent } from "../../core/market/event-reader.ts";
import type { Services } from "../../core/tools/context.ts";
import type { ModuleData } from "../../protocol/modules/registry.ts";
import type { Book, Connection, Frozen, Market } from "../../web/contract/market.ts";
import { ContractRows } from "./contract-rows.ts";
import { feedEventText } from "./feed-event.ts";
import { offersFreeze } from "./freeze.ts";

/** How often the file of the kill switch is looked at, milliseconds. */
const FREEZE_MS = 250;

type LiveServices = Pick<Services, "events" | "snapshot" | "pubsub" | "frozen" | "configuration">;

/** What the rows belong to. */
interface View {
  readonly userId: string;
  readonly engineId: string;
  /** Marks in a position (stream-position.ts). */
  readonly user: string;
  readonly state: string;
  readonly rows: ContractRows;
}

const liveMarkets = new WeakMap<Services["events"], LiveMarket>();

/** That of this process. */
export function liveMarketOf(services: LiveServices): LiveMarket {
  let live = liveMarkets.get(services.events);
  if (live === undefined) liveMarkets.set(services.events, live = new LiveMarket(services));
  return live;
}

export class LiveMarket {
  #view: View | null = null;
  #markets = { revision: -1, text: "[]" };
  #frozen = { readAt: -Infinity, text: "null" };
  #joined = { key: "", text: "" };
  readonly #books = new WeakMap<ModuleData<"ENGINE">, string>();

  constructor(private readonly services: LiveServices) {}

  get events(): Services["events"] {
    return this.services.events;
  }

  get creditRevision(): number {
    return this.services.snapshot.revision("CREDIT");
  }

  /** Whether events and state agree. Not while a lost connection is being restored: events may come before the state. */
  get isCurrent(): boolean {
    return this.services.pubsub.status === "connected";
  }

  /** What the acting user may see, as of now; null if there is no acting user. */
  view(): View | null {
    const { pubsub: { session }, snapshot } = this.services;
    if (session === null) return null;
    const { userId, engineId } = session;
    if (this.#view?.userId !== userId || this.#view.engineId !== engineId) {
      const state = crypto.randomUUID().slice(0, 8);
      this.#view = { userId, engineId, user: markOf(userId), state, rows: new ContractRows(snapshot) };
      this.#markets = { revision: -1, text: "[]" };
    }
    this.#view.rows.refresh();
    return this.#view;
  }

  /** JSON texts of a page of all events, with commas between. Pages that are equally far get the same text. */
  pageText(events: readonly BufferedEvent[]): string {
    const [first, last] = [events.at(0), events.at(-1)];
    if (first === undefined || last === undefined) return "";
    // No event between the first and the last is left out, so these and the history tell the page.
    const key = `${this.events.epoch} ${this.#view?.state} ${first.sequence} ${last.sequence} ${events.length}`;
    if (this.#joined.key !== key) this.#joined = { key, text: eventTexts(events) };
    return this.#joined.text;
  }

  /** The module of a contract's book, also if the contract has expired; undefined without one. */
  bookModule(contractId: string): ModuleData<"ENGINE"> | undefined {
    const { snapshot } = this.services;
    const contract = snapshot.get("CONTRACT", contractId);
    return contract === undefined ? undefined : snapshot.get("ENGINE", contract.engineId);
  }

  /** JSON of the Book. */
  bookText(engine: ModuleData<"ENGINE">): string {
    const known = this.#books.get(engine);
    if (known !== undefined) return known;
    const { contractId, bids, asks, lastPrice, lastUpdate } = engine;
    const book: Book = { contractId, bids, asks, lastPrice, lastUpdate };
    const text = safeJson(book);
    this.#books.set(engine, text);
    return text;
  }

  /** JSON of all markets. */
  marketsText(): string {
    const { snapshot } = this.services;
    const revision = snapshot.revision("MARKET");
    if (revision !== this.#markets.revision) {
      const markets = snapshot.find("MARKET", { limit: Infinity }).modules.map(marketOf);
      // The revision also changes with the market's time, which is not sent. An equal text counts as no change.
      this.#markets = { revision, text: `[${markets.map((market) => safeJson(market)).join(",")}]` };
    }
    return this.#markets.text;
  }

  /** JSON of the freeze, or `null`. `now`: milliseconds. */
  frozenText(now: number): string {
    if (now - this.#frozen.readAt >= FREEZE_MS) {
      const frozen: Frozen | null = this.services.frozen();
      this.#frozen = { readAt: now, text: frozen === null ? "null" : safeJson(frozen) };
    }
    return this.#frozen.text;
  }

  connection(): Connection {
    const { pubsub, snapshot, configuration } = this.services;
    const { status, userId, entityId, marketTime, clock, incomplete, lastError } = pubsub.facts();
    return {
      status,
      userId,
      entityId,
      permissions: [...pubsub.session?.capabilities ?? []],
      wasDisconnected: pubsub.disconnects > 0,
      marketTime,
      speed: clock === null || clock.mode === "lockstep" ? null : clock.speed,
      stale: status !== "connected",
      asOf: snapshot.asOf,
      incomplete,
      problem: status === "connected" ? null : lastError,
      offersFreeze: offersFreeze({ configuration }),
    };
  }
}

/** JSON texts of these events, with commas between. */
export function eventTexts(events: readonly BufferedEvent[]): string {
  return events.map(feedEventText).join(",");
}

function marketOf(market: ModuleData<"MARKET">): Market {
  const { id, name, code, status, halted, haltReason, preopen, open, close, timezone, nodes } = market;
  return { id, name, code, status, halted, haltReason, preopen, open, close, timezone, nodes };
}

/** Tells users apart, without naming them in an address. */
function markOf(userId: string): string {
  return Bun.hash(userId).toString(36);
}
