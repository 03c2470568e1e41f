// The updates of one stream (web/contract/update.ts), as JSON text, each made when the client asks for it. So a slow client
// gets fewer updates with more events each, up to MAX_UPDATE_EVENTS, which bounds the memory of one that does not read.
//
// Invariants:
// - The events of all updates are the events of the buffer after the position, each once, in order; `missed` counts those that
//   the buffer had dropped before they were read.
// - State is read after the events of the same update, in the same turn of the event loop. So it is never older than they are.
// - While a lost connection is being restored, no events are read, because the state that belongs to them comes later.
// - Nothing is read without an acting user. Another user's stream begins anew.
//
// Cost: without a change, some comparisons. Otherwise in proportion to the events and rows sent, whose texts are shared.

import type { BufferedEvent, EventPage } from "../../core/market/event-reader.ts";
import { safeJson } from "../../common/safe-text.ts";
import type { ModuleData } from "../../protocol/modules/registry.ts";
import type { Connection } from "../../web/contract/market.ts";
import { type EventChoice, MAX_UPDATE_EVENTS } from "../../web/contract/update.ts";
import type { ChangedRows } from "./contract-rows.ts";
import { eventTexts, type LiveMarket } from "./live-market.ts";
import { positionText, type RowsPosition, type StreamPosition } from "./stream-position.ts";

/** Events of the first update, so that a feed is not empty. */
const FIRST_EVENTS = 200;
/** The longest time without an update, milliseconds: it has the market time. */
const QUIET_MS = 1_000;

export interface StreamChoice {
  readonly watched: readonly string[];
  readonly events: EventChoice;
}

interface UpdateLimits {
  readonly firstEvents: number;
  readonly events: number;
}

const LIMITS: UpdateLimits = { firstEvents: FIRST_EVENTS, events: MAX_UPDATE_EVENTS };

export interface UpdateText {
  /** For the next stream; null if it would begin anew. */
  readonly position: string | null;
  /** JSON of the Update. */
  readonly text: string;
}

interface EventPart {
  readonly events: readonly BufferedEvent[];
  readonly missed: number | null;
}

interface StatePart extends ChangedRows {
  readonly isWhole: boolean;
}

type View = NonNullable<ReturnType<LiveMarket["view"]>>;

const NO_EVENTS: EventPart = { events: [], missed: 0 };
const NO_STATE: StatePart = { isWhole: false, rows: [], unlisted: [] };

export class UpdateSource {
  /** The last event that the client has; null before the first one. */
  #event: { readonly epoch: number; readonly sequence: number } | null;
  /** The rows that the client has; null before the first ones. */
  #rows: RowsPosition | null;
  readonly #books = new Map<string, ModuleData<"ENGINE">>();
  #isFirst = true;
  /** Whether the last update left events for another one. */
  hasMore = false;
  readonly #sent = { markets: "", frozen: "", connection: "", connectionAt: -Infinity, credit: -1 };

  constructor(
    private readonly live: LiveMarket,
    private readonly choice: StreamChoice,
    since: StreamPosition | null,
    private readonly limits = LIMITS,
  ) {
    this.#event = since === null ? null : { epoch: since.epoch, sequence: since.sequence };
    this.#rows = since?.rows ?? null;
  }

  /** What has changed; null if nothing has. `now`: milliseconds that never go back. */
  next(now: number): UpdateText | null {
    const { live } = this;
    this.hasMore = false;
    const view = live.view();
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    const beginsAnew = view === null ? isFirst && this.#event === null : this.#beginsAnew(view, isFirst);
    const { events, missed } = view === null || !live.isCurrent ? NO_EVENTS : this.#events();
    const state = view === null
      ? { ...NO_STATE, isWhole: beginsAnew }
      : this.#state(view, { isContinuous: missed === 0 });
    const shown = this.#chosen(events);
    const books = view === null ? [] : this.#changedBooks(state.isWhole);
    const others = [...this.#connection(now), ...this.#frozen(now), ...(view === null ? [] : this.#markets())];
    const isSame = shown.length + state.rows.length + state.unlisted.length + books.length + others.length === 0;
    if (isSame && missed === 0 && !isFirst && !beginsAnew && !state.isWhole) return null;
    const position = this.#position();
    const fields = [
      `"sequence":${this.#event?.sequence ?? 0}`,
      `"position":${JSON.stringify(position)}`,
      `"epoch":${this.#event?.epoch ?? null}`,
      `"isWhole":${state.isWhole}`,
      `"continues":${!beginsAnew}`,
      `"missed":${missed}`,
      `"events":[${this.choice.events === "all" ? live.pageText(shown) : eventTexts(shown)}]`,
      `"contracts":[${state.rows.join(",")}]`,
      `"unlisted":${safeJson(state.unlisted)}`,
      `"books":[${books.join(",")}]`,
      ...others,
      ...(view === null ? [] : this.#credit()),
    ];
    return { position, text: `{${fields.join(",")}}` };
  }

  /** Whether the client must forget what it has, because it is of another user or another history of events. */
  #beginsAnew({ user }: View, isFirst: boolean): boolean {
    const { events, isCurrent } = this.live;
    const isOtherUser = this.#rows !== null && this.#rows.user !== user;
    if (!isOtherUser) {
      // The next connection tells whether the history goes on.
      if (!isCurrent) return isFirst && this.#event === null;
      const { epoch, sequence = Infinity } = this.#event ?? {};
      if (epoch === events.epoch && sequence <= events.latestSequence) return false;
    }
    this.#event = null;
    this.#rows = null;
    return true;
  }

  #events(): EventPart {
    const { events } = this.live;
    const { epoch } = events;
    if (epoch === null) return NO_EVENTS;
    const since = this.#event?.sequence;
    if (this.choice.events === "none") return this.#skipEvents(epoch, since);
    const page = events.read(
      since === undefined ? { limit: this.limits.firstEvents } : { since, limit: this.limits.events },
    );
    const missed = since === undefined ? 0 : this.#missedIn(page);
    this.hasMore = since !== undefined && page.hasMore;
    this.#event = { epoch, sequence: page.latestSequence };
    return { events: page.events, missed };
  }

  /** For a client that wants none: only whether some are lost. */
  #skipEvents(epoch: number, since: number | undefined): EventPart {
    const { events } = this.live;
    this.#event = { epoch, sequence: events.latestSequence };
    return { events: [], missed: since === undefined ? 0 : events.read({ since, limit: 1 }).missed };
  }

  /** Events that are lost up to the end of the page. The buffer counts all those after its beginning. */
  #missedIn({ missed, hasMore, latestSequence }: EventPage): number | null {
    if (!hasMore || missed === 0 || missed === null) return missed;
    const later = this.live.events.read({ since: latestSequence, limit: 1 }).missed;
    return later === null ? null : Math.max(0, missed - later);
  }

  /** `isContinuous`: no event is lost, so the client has all of the state but what has changed since. */
  #state({ user, state, rows }: View, { isContinuous }: { readonly isContinuous: boolean }): StatePart {
    const known = this.#rows;
    const changed = isContinuous && known?.state === state ? rows.since(known.version) : null;
    this.#rows = { user, state, version: rows.version };
    return changed === null ? { ...rows.all(), isWhole: true } : { ...changed, isWhole: false };
  }

  /** JSON texts. */
  #changedBooks(isWhole: boolean): string[] {
    const texts: string[] = [];
    for (const id of this.choice.watched) {
      const engine = this.live.bookModule(id);
      if (engine === undefined || (!isWhole && this.#books.get(id) === engine)) continue;
      this.#books.set(id, engine);
      texts.push(this.live.bookText(engine));
    }
    return texts;
  }

  #chosen(events: readonly BufferedEvent[]): readonly BufferedEvent[] {
    const { events: choice, watched } = this.choice;
    if (choice === "all") return events;
    if (choice === "none") return [];
    return events.filter(({ data: { contractId } }) => typeof contractId !== "string" || watched.includes(contractId));
  }

  #markets(): string[] {
    const text = this.live.marketsText();
    if (text === this.#sent.markets) return [];
    this.#sent.markets = text;
    return [`"markets":${text}`];
  }

  /** If more than the time has changed, or an update is due anyway. */
  #connection(now: number): string[] {
    const connection = this.live.connection();
    const lasting = safeJson({ ...connection, marketTime: null, asOf: null } satisfies Connection);
    if (lasting === this.#sent.connection && now - this.#sent.connectionAt < QUIET_MS) return [];
    this.#sent.connection = lasting;
    this.#sent.connectionAt = now;
    return [`"connection":${safeJson(connection)}`];
  }

  #frozen(now: number): string[] {
    const text = this.live.frozenText(now);
    if (text === this.#sent.frozen) return [];
    this.#sent.frozen = text;
    return [`"frozen":${text}`];
  }

  #credit(): string[] {
    const revision = this.live.creditRevision;
    if (revision === this.#sent.credit) return [];
    this.#sent.credit = revision;
    return [`"creditRevision":${revision}`];
  }

  #position(): string | null {
    return this.#event === null ? null : positionText({ ...this.#event, rows: this.#rows });
  }
}
