// One history's log, joined with this process's buffer.
//
// To join is to put together what the log and the buffer know (log-content-union.ts). If the log knows more, the buffer is
// restored. If the buffer knows more before the log's top, the log is written anew under another generation, and readers and
// writers of the old one are told that it has moved. What the buffer knows after the top is appended.
//
// Invariants: a batch holds everything that there is between the number after which it begins and its last item, and Redis
// refuses it if the log ends before that number. So the log covers what the buffers of its writers cover. After each wait the
// step goes on only if the buffer's content was not replaced meanwhile: it may belong to another user's rights now.

import type { Logger } from "../../common/logger.ts";
import type { PubSubClient } from "../../core/backend/pubsub-client.ts";
import type { EventBuffer } from "../../core/market/event-buffer.ts";
import {
  countsOf,
  type EventContent,
  type Gap,
  type History,
  type HistoryItem,
  isGap,
  sequenceOf,
} from "../../core/market/event-content.ts";
import type { BufferedEvent } from "../../core/market/event-reader.ts";
import { between, type Coverage, covered, inOrder, union, upTo, wholeAfter, without } from "./log-content-union.ts";
import { DamagedLog, STREAMS } from "./log-item-codec.ts";
import { BATCH_ITEMS, type LogHead, type LogPart, type LogStore, newestOf } from "./log-store.ts";

/** What the log needs of the connection to the market. */
export type LogClient = Pick<
  PubSubClient,
  "history" | "setbacks" | "session" | "status" | "isQuiet" | "append" | "resumeFrom"
>;

interface JoinedParts {
  readonly store: LogStore;
  readonly client: LogClient;
  readonly events: EventBuffer;
  /** Names this replica. */
  readonly writer: string;
  readonly log: Logger;
}

/** `again`: the log or the buffer has changed meanwhile, so the step must be repeated. */
type Step = "done" | "again";

/** Attempts to put a rewritten log in use while another replica appends to the old one. */
const REPLACE_ATTEMPTS = 5;
/** A log that is damaged more often is not written anew each time. */
const DAMAGE_PAUSE_MS = 1_000;

export class JoinedLog {
  readonly #parts: JoinedParts;
  #generation: string | null = null;
  #top = 0;
  #newest = 0;
  #gapEntries = 0;
  /** Of the buffer, when it was last compared with the log. */
  #incarnation = -1;
  /** Of the buffer, as of the beginning of this step, or after its own last change of the buffer. */
  #current = -1;
  #setbacks: number;
  #gapEvents = -1;
  #isWriter = false;
  #mustCompare = true;
  /** Whether to put a new log in the place of this one without a look at it, and why. */
  #damage: string | null = null;
  #damagedAt = -Infinity;
  /** Compare again once the buffer is here. */
  #compareAt = Infinity;
  /** Compare again once the engine has confirmed the buffer's history. */
  #compareConnected = false;

  constructor(parts: JoinedParts) {
    this.#parts = parts;
    this.#setbacks = parts.client.setbacks;
  }

  get history(): History {
    return this.#parts.store.history;
  }

  /** The newest number of the log, as far as this process knows. */
  get top(): number {
    return this.#top;
  }

  /** The newest event of the log, as far as this process knows; 0 if there is none. */
  get newest(): number {
    return this.#newest;
  }

  /** Whether this replica had the lease when it last asked. */
  get isWriter(): boolean {
    return this.#isWriter;
  }

  /** Another replica may write from now on. */
  forgetLease(): void {
    this.#isWriter = false;
  }

  /** Writes what the log lacks, unless another replica has the lease and `force` is false. Reads what the buffer lacks. */
  async step(force: boolean): Promise<Step> {
    try {
      return await this.#stepped(force);
    } catch (error) {
      if (!(error instanceof DamagedLog)) throw error;
      const now = performance.now();
      if (now - this.#damagedAt < DAMAGE_PAUSE_MS) {
        throw new Error(`the shared event log was damaged again: ${error.message}`, { cause: error });
      }
      this.#damagedAt = now;
      this.#parts.log.error("the shared event log is damaged, and is written anew: {why}", { why: error.message });
      this.#damage = error.message;
      return "again";
    }
  }

  async #stepped(force: boolean): Promise<Step> {
    const { events, client } = this.#parts;
    this.#current = events.incarnation;
    if (client.setbacks !== this.#setbacks) {
      this.#setbacks = client.setbacks;
      this.#damage = "the engine has fewer events than before";
    }
    const isDue = this.#mustCompare || events.incarnation !== this.#incarnation || this.#damage !== null ||
      events.gapEvents !== this.#gapEvents ||
      events.latestSequence >= this.#compareAt || (this.#compareConnected && client.status === "connected");
    if (isDue && await this.#compare() === "again") return "again";
    if (await this.#write(force) === "again") return "again";
    return await this.#readOn();
  }

  /** Makes buffer and log cover the same, up to where both reach. */
  async #compare(isWhole = false): Promise<Step> {
    const { store, events, client } = this.#parts;
    if (this.#damage !== null) return await this.#rewrite(await this.#damagedGeneration());
    const generation = await store.generation();
    if (generation === null) return await this.#rewrite(null);
    const known = await store.gaps(generation);
    if (known === null || !this.#isCurrent) return "again";
    const { head, gaps } = known;
    this.#checkHead(head);
    const ofLog = covered({ ...head, gaps });
    const lacks = between(without(ofLog, covered(this.#coverage)), 0, isWhole ? Infinity : events.latestSequence);
    let compareAt = Infinity;
    if (lacks.length > 0 || head.start < events.start) {
      const restored = await this.#restore(generation);
      if (restored === "again") return "again";
      if (restored === "later") compareAt = head.top;
    }
    const mustRewrite = compareAt === Infinity && this.#logLacks(head, ofLog);
    const isBehind = head.newest > events.latestSequence;
    // The engine may have lost its newest events. Until it has confirmed those of the buffer, no log is replaced by them.
    if (mustRewrite && !isBehind && client.status === "connected") return await this.#rewrite(generation);
    this.#compared(generation, head);
    this.#compareConnected = mustRewrite && !isBehind;
    this.#compareAt = mustRewrite && isBehind ? head.newest : compareAt;
    return "done";
  }

  get #coverage(): Coverage {
    const { start, latestSequence, gaps } = this.#parts.events;
    return { start, top: latestSequence, gaps };
  }

  /** Whether the log lacks what can't be appended to it. */
  #logLacks(head: LogHead, ofLog: readonly Gap[]): boolean {
    const { events } = this.#parts;
    if (events.start < head.start || events.wholeAfter > head.top) return true;
    const lacks = between(without(covered(this.#coverage), ofLog), 0, head.top);
    if (lacks.length === 0) return false;
    if (between(lacks, events.wholeAfter, Infinity).length > 0) return true;
    // Below `wholeAfter` only buffered events could be added.
    return events.content().events.some(({ sequence }) =>
      lacks.some(({ from, to }) => from <= sequence && sequence <= to)
    );
  }

  /** Fills the buffer with what the log and the buffer know together. `later`: first the buffer must get further. */
  async #restore(generation: string): Promise<Step | "later"> {
    const { store, events, client, log } = this.#parts;
    const content = await this.contentOf(generation);
    if (content === null || !this.#isCurrent) return "again";
    // What comes after the newest event comes from the engine, now or on the next connection.
    const { latestSequence } = events;
    const last = client.isQuiet ? beforeGap(content.gaps, latestSequence, content.top) : latestSequence;
    if (wholeAfter(content) > last) return "later";
    events.restore(union(upTo(content, last), events.content()));
    this.#current = events.incarnation;
    const count = content.events.length;
    log.info("put {count} events of the shared log {digest} into the buffer", { count, digest: store.digest });
    return "done";
  }

  /** The whole log, without a gap at its end, which the engine may be able to fill; null if it has moved. */
  async resumableContent(generation: string): Promise<EventContent | null> {
    const content = await this.contentOf(generation);
    const last = content?.gaps.at(-1);
    return content === null || last?.to !== content.top ? content : upTo(content, last.from - 1);
  }

  /** The whole log; null if it has moved. */
  async contentOf(generation: string): Promise<EventContent | null> {
    const part = await this.#parts.store.read(generation, 0);
    if (part === null) return null;
    this.#checkHead(part.head);
    return contentOf(part, this.history.epoch);
  }

  /** Writes the buffer's content as a new log. */
  async #rewrite(old: string | null): Promise<Step> {
    const { store, events, log } = this.#parts;
    if (!this.#isCurrent) return "again";
    const content = events.content();
    const generation = crypto.randomUUID();
    const items = inOrder([content.events, content.gaps]);
    await store.fill(generation, items);
    for (let attempt = 0; attempt < REPLACE_ATTEMPTS; attempt += 1) {
      const top = Math.max(content.top, ...items.slice(-1).map(sequenceOf));
      const later = this.#isCurrent ? events.itemsAfter(top, Infinity) : null;
      if (later === null) break;
      await store.fill(generation, later);
      for (const item of later) items.push(item);
      const fields = {
        start: content.start,
        top: Math.max(top, ...later.slice(-1).map(sequenceOf)),
        items,
        added: countsOf((category) => content.forgotten[category] + countIn(items, category)),
      };
      const outcome = await store.replace(generation, { generation: old, isDamaged: this.#damage !== null }, fields);
      if (outcome === "ok") {
        log.info("wrote the shared event log {digest} anew, up to {top}", { digest: store.digest, top: fields.top });
        this.#damage = null;
        this.#compared(generation, {
          top: fields.top,
          newest: newestOf(items),
          gapEntries: items.filter(isGap).length,
        });
        return "done";
      }
      // Another replica was faster.
      if (outcome === "moved") this.#damage = null;
      if (outcome !== "behind") break;
    }
    await store.discard(generation);
    return "again";
  }

  /** Appends what is in the buffer and not yet in the log. */
  async #write(force: boolean): Promise<Step> {
    const { store, events, client, writer } = this.#parts;
    const goal = events.latestSequence;
    const generation = this.#generation!;
    // Whoever has the lease knows the top, unless it has nothing to write. Copies of what others have written would be skipped.
    if ((!this.#isWriter || this.#top >= goal) && await this.#look() === "again") return "again";
    while (this.#top < goal) {
      if (!this.#isCurrent) return "again";
      const after = this.#top;
      // Whoever has no lease asks for it before it sends anything.
      const asksOnly = !force && !this.#isWriter;
      const items = asksOnly ? [] : events.itemsAfter(after, BATCH_ITEMS);
      if (items === null) return client.status === "connected" ? this.#compareAgain() : "done";
      // A restored buffer may know that there is nothing between its last event and `goal`.
      if (items.length === 0 && !asksOnly) break;
      const reply = await store.append({ generation, writer, force, after, items, size: events.capacity });
      if (reply.kind === "moved") return this.#compareAgain();
      this.#top = reply.top;
      if (reply.kind === "back") continue;
      this.#newest = reply.newest;
      this.#isWriter = reply.isWriter;
      const othersWrote = reply.before > after && items.some(isGap);
      if (reply.gapEntriesBefore !== this.#gapEntries || othersWrote) this.#mustCompare = true;
      this.#gapEntries = reply.gapEntries;
      if (reply.kind === "held" || (asksOnly && !this.#isWriter)) break;
    }
    return this.#mustCompare ? "again" : "done";
  }

  /** Reads how far the log is. */
  async #look(): Promise<Step> {
    const { store, events } = this.#parts;
    const before = this.#top;
    const position = await store.look();
    if (position === null || position.generation !== this.#generation) return this.#compareAgain();
    if (!this.#isCurrent) return "again";
    const { top, newest, gapEntries } = position;
    this.#top = top;
    this.#newest = newest;
    // Others may have written what is in a gap here, or a gap in place of what is here.
    const othersFilled = top > before && events.gaps.some(({ from, to }) => from <= top && to > before);
    return othersFilled || gapEntries !== this.#gapEntries ? this.#compareAgain() : "done";
  }

  /** While no engine sends anything: appends what the log has and the buffer lacks. */
  async #readOn(): Promise<Step> {
    const { store, events, client } = this.#parts;
    if (!client.isQuiet || this.#top <= events.latestSequence) return "done";
    const { latestSequence } = events;
    const part = await store.read(this.#generation!, latestSequence);
    if (part === null) return this.#compareAgain();
    if (!this.#isCurrent || events.latestSequence !== latestSequence || !client.isQuiet) return "again";
    const { added } = events;
    const isWhole = STREAMS.every((name) =>
      name === "gap" || added[name] + part.items[name].length === part.head.added[name]
    );
    if (!isWhole) return await this.#compare(true);
    const last = beforeGap(part.items.gap.filter(isGap), latestSequence, part.head.top);
    client.append(inOrder(Object.values(part.items)).filter((item) => sequenceOf(item) <= last));
    this.#gapEvents = events.gapEvents;
    return "done";
  }

  #compared(generation: string, { top, newest, gapEntries }: Pick<LogHead, "top" | "newest" | "gapEntries">): void {
    const { events } = this.#parts;
    this.#generation = generation;
    this.#top = top;
    this.#newest = newest;
    this.#gapEntries = gapEntries;
    this.#incarnation = this.#current;
    this.#gapEvents = events.gapEvents;
    this.#mustCompare = false;
    this.#compareAt = Infinity;
    this.#compareConnected = false;
  }

  #compareAgain(): "again" {
    this.#mustCompare = true;
    return "again";
  }

  /** Whether nobody else has replaced the buffer's content during this step. It may be of another history then. */
  get #isCurrent(): boolean {
    return this.#parts.events.incarnation === this.#current;
  }

  async #damagedGeneration(): Promise<string | null> {
    try {
      return await this.#parts.store.generation();
    } catch (error) {
      if (error instanceof DamagedLog) return null;
      throw error;
    }
  }

  #checkHead({ start }: LogHead): void {
    if (start < this.history.epoch) throw new DamagedLog("the log starts before its epoch");
  }
}

/** The end of what can be read after a number without a gap: the engine may be able to send what is in the gap. */
function beforeGap(gaps: readonly Gap[], after: number, top: number): number {
  const first = gaps.find(({ to }) => to > after);
  return first === undefined ? top : Math.max(after, first.from - 1);
}

function contentOf({ head, items }: LogPart, epoch: number): EventContent {
  const { gap, ...byCategory } = items;
  const events = inOrder(Object.values(byCategory)) as BufferedEvent[];
  return {
    epoch,
    start: head.start,
    top: head.top,
    gaps: gap as readonly Gap[],
    events,
    forgotten: countsOf((category) => Math.max(0, head.added[category] - byCategory[category].length)),
  };
}

function countIn(items: readonly HistoryItem[], category: BufferedEvent["category"]): number {
  return items.reduce((count, item) => count + (!isGap(item) && item.category === category ? 1 : 0), 0);
}
