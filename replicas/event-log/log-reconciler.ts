// Makes one history's log and this process's buffer agree. shared-event-log.ts tells the whole idea.
//
// A step has three parts, each of which does nothing if there is nothing to do:
//
//   compare   Makes both cover the same numbers, up to where both reach. If the log knows more, the buffer is restored. If the
//             buffer knows more, the log is written anew under another generation.
//   write     Appends to the log what the buffer has after the log's end.
//   read      While no engine sends anything: appends to the buffer what the log has after the buffer's end.
//
// Other replicas and the engine go on meanwhile. Each part checks after each wait that buffer and log are still those that it
// began with. If not, it throws a Conflict: the buffer may belong to another user's rights now. The step is then repeated.

import type { Logger } from "../../common/logger.ts";
import type { ReplicaConnection } from "../../core/backend/replica-connection.ts";
import type { History, ReplicaBuffer } from "../../core/market/event-content.ts";
import { contentOf, covered, type HistoryItem, inOrder, isGap, itemsAfter } from "../history/content.ts";
import { union, upTo, wholeAfter } from "../history/content.ts";
import { between, isIn, type Range, without } from "../history/ranges.ts";
import { DamagedLog, type LogHead, type LogPosition } from "./log-codec.ts";
import { Conflict, type LogStore } from "./log-store.ts";

/** What the log needs of the connection to the market. */
export type LogClient = Pick<
  ReplicaConnection,
  "history" | "setbacks" | "session" | "status" | "isQuiet" | "resumeFrom"
>;

export interface ReconcilerOptions {
  readonly client: LogClient;
  /** The buffer of `client`. */
  readonly events: ReplicaBuffer;
  /** Names this replica. */
  readonly writer: string;
  readonly log: Logger;
}

/** What was compared, and when to compare again although neither has changed. */
interface Comparison {
  readonly generation: string;
  /** Of the buffer. */
  readonly incarnation: number;
  readonly gapEvents: number;
  /** One of the two lacks something that it can't be given yet. True once it can. */
  readonly isDue: () => boolean;
}

/** Attempts to put a new log in use while another replica appends to the old one. */
const REPLACE_ATTEMPTS = 5;
/** A log that is damaged more often is not written anew each time. */
const DAMAGE_PAUSE_MS = 1_000;
const NEVER = () => false;
/** Of a log that is replaced, whichever it is. */
const ANY = "*";

/**
 * State, beside log and buffer themselves:
 *
 *   field          begins as    changes
 *   #compared      null         set by `compare`; null after a Conflict or damage, so the next step compares
 *   #position      all 0        the log's end, whenever the log is looked at or appended to
 *   #hasLease      false        by each append. Redis decides; a replica that is wrong sends one batch in vain
 *   #fault         null         why the log must be replaced, whatever it has: damage, or a setback of the engine. Null when a
 *                               new log is in use
 *   #damagedAt     long ago     the last damage
 *   #setbacks      client's     those of the client that are dealt with
 *   #incarnation   -1           the buffer's, at the beginning of a step and after this object's own restore
 */
export class LogReconciler {
  readonly #parts: ReconcilerOptions & { readonly store: LogStore };
  readonly history: History;
  #compared: Comparison | null = null;
  #position: LogPosition = { top: 0, newest: 0, gaps: [] };
  #hasLease = false;
  #fault: string | null = null;
  #damagedAt = -Infinity;
  #setbacks: number;
  #incarnation = -1;

  constructor(store: LogStore, options: ReconcilerOptions) {
    this.#parts = { ...options, store };
    this.history = store.history;
    this.#setbacks = options.client.setbacks;
  }

  /** How far the log is, as far as this process knows. */
  get position(): LogPosition {
    return this.#position;
  }

  /** Whether this replica had the lease when it last wrote. */
  get hasLease(): boolean {
    return this.#hasLease;
  }

  /**
   * Writes what the log lacks, if this replica has the lease or `force` is true. Reads what the buffer lacks. False: log or
   * buffer have changed meanwhile, and the step must be repeated.
   */
  async step(force: boolean): Promise<boolean> {
    const { client, events } = this.#parts;
    this.#incarnation = events.incarnation;
    if (client.setbacks !== this.#setbacks) {
      this.#setbacks = client.setbacks;
      this.#fault = "the engine has fewer events than before";
    }
    try {
      if (this.#mustCompare) await this.#compare();
      await this.#write(force);
      await this.#read();
      return true;
    } catch (error) {
      if (error instanceof DamagedLog) this.#noteDamage(error);
      else if (!(error instanceof Conflict)) throw error;
      this.#compared = null;
      return false;
    }
  }

  get #mustCompare(): boolean {
    const { events } = this.#parts;
    if (this.#compared === null || this.#fault !== null) return true;
    const { incarnation, gapEvents, isDue } = this.#compared;
    return events.incarnation !== incarnation || events.gapEvents !== gapEvents || isDue();
  }

  async #compare(): Promise<void> {
    const { store, events, client } = this.#parts;
    if (this.#fault !== null) return await this.#writeAnew(ANY);
    const head = await store.head();
    if (head === null) return await this.#writeAnew(null);
    this.#checkBuffer();
    if (this.#bufferLacks(head) && !await this.#restore(head.generation)) {
      return this.#setCompared(head, () => events.latestSequence >= head.top);
    }
    if (!this.#logLacks(head)) return this.#setCompared(head, NEVER);
    if (events.latestSequence < head.newest) return this.#setCompared(head, () => events.latestSequence >= head.newest);
    // The engine may have lost its newest events. Until it has confirmed those of the buffer, no log is replaced by them.
    if (client.status !== "connected") return this.#setCompared(head, () => client.status === "connected");
    await this.#writeAnew(head.generation);
  }

  /** While the engine sends what comes next, the buffer lacks nothing after its end. */
  #bufferLacks(head: LogHead): boolean {
    const { events, client } = this.#parts;
    const end = client.isQuiet ? Infinity : events.latestSequence;
    return head.start < events.start || between(without(covered(head), this.#covered), 0, end).length > 0;
  }

  /** Whether the log lacks something that can't be appended to it. */
  #logLacks(head: LogHead): boolean {
    const { events } = this.#parts;
    if (events.start < head.start || events.wholeAfter > head.top) return true;
    const lacks = between(without(this.#covered, covered(head)), 0, head.top);
    if (lacks.length === 0) return false;
    // Up to `wholeAfter` the buffer could add nothing but the events that it still has.
    return lacks.at(-1)!.to > events.wholeAfter ||
      contentOf(events).events.some(({ sequence }) => isIn(lacks, sequence));
  }

  get #covered(): Range[] {
    const { start, latestSequence: top, gaps } = this.#parts.events;
    return covered({ start, top, gaps });
  }

  /** Fills the buffer with what the log and the buffer know together. False: first the buffer must get further. */
  async #restore(generation: string): Promise<boolean> {
    const { store, events, client, log } = this.#parts;
    const content = await store.content(generation);
    this.#checkBuffer();
    const last = client.isQuiet ? endOf(content) : events.latestSequence;
    if (wholeAfter(content) > last) return false;
    events.restore(union(upTo(content, last), contentOf(events)));
    this.#incarnation = events.incarnation;
    const count = content.events.length;
    log.info("put {count} events of the shared log {digest} into the buffer", { count, digest: store.digest });
    return true;
  }

  /** Writes the buffer's content as a new log. `old`: the generation to replace; null if there is no log; or ANY. */
  async #writeAnew(old: string | null): Promise<void> {
    const { store, events, writer, log } = this.#parts;
    this.#checkBuffer();
    const generation = crypto.randomUUID();
    const content = contentOf(events);
    await store.prepare(generation, content);
    try {
      let items: HistoryItem[] | null = inOrder([...content.events, ...content.gaps]);
      let after = content.start;
      for (let attempt = 0; attempt < REPLACE_ATTEMPTS && items !== null; attempt += 1) {
        const batch = { generation, isPrepared: true, writer, force: true, after, items, capacity: events.capacity };
        const position = await store.append(batch);
        this.#checkBuffer();
        if (await store.replace(generation, old)) {
          log.info("wrote the shared event log {digest} anew, up to {top}", {
            digest: store.digest,
            top: position.top,
          });
          this.#fault = null;
          return this.#setCompared({ generation, ...position }, NEVER);
        }
        after = position.top;
        items = itemsAfter(events, after);
      }
      throw new Conflict("the log that was to be replaced has newer events");
    } catch (error) {
      if (error instanceof Conflict) await store.discard(generation);
      throw error;
    }
  }

  async #write(force: boolean): Promise<void> {
    const { store, events, client, writer } = this.#parts;
    const goal = events.latestSequence;
    const { generation } = this.#compared!;
    // Whoever has the lease knows the top, unless it has nothing to write. Copies of what others have written would be skipped.
    if (!this.#hasLease || this.#position.top >= goal) await this.#look();
    while (this.#position.top < goal && (force || this.#hasLease)) {
      this.#checkBuffer();
      const after = this.#position.top;
      const items = itemsAfter(events, after);
      if (items === null && client.status === "connected") throw new Conflict("the log lacks what is evicted");
      // A restored buffer may know that there is nothing between its last event and `goal`.
      if (items === null || items.length === 0) return;
      const batch = { generation, writer, force, after, items, capacity: events.capacity };
      const { hasLease, ...position } = await store.append(batch);
      this.#hasLease = hasLease;
      this.#setPosition(position);
    }
  }

  async #look(): Promise<void> {
    const head = await this.#parts.store.head();
    this.#checkBuffer();
    if (head?.generation !== this.#compared!.generation) throw new Conflict("the log was replaced");
    this.#setPosition(head);
  }

  async #read(): Promise<void> {
    const { store, events, client } = this.#parts;
    const { latestSequence } = events;
    if (!client.isQuiet || this.#position.top <= latestSequence) return;
    const { head, events: found, isWhole } = await store.read(this.#compared!.generation, latestSequence);
    this.#checkBuffer();
    if (events.latestSequence !== latestSequence || !client.isQuiet) {
      throw new Conflict("the engine sends events again");
    }
    if (!isWhole) return await this.#compare();
    for (const item of inOrder([...found, ...between(head.gaps, latestSequence, endOf(head))])) {
      if (isGap(item)) events.gap(item.from, item.to);
      else if (item.sequence <= endOf(head)) events.push(item, item.book);
    }
  }

  #setCompared({ generation, top, newest, gaps }: LogPosition & { generation: string }, isDue: () => boolean): void {
    const { gapEvents } = this.#parts.events;
    this.#compared = { generation, incarnation: this.#incarnation, gapEvents, isDue };
    this.#position = { top, newest, gaps };
  }

  /** Throws Conflict if others may have written what is in a gap here, or a gap in place of what is here. */
  #setPosition({ top, newest, gaps }: LogPosition): void {
    const before = this.#position;
    this.#position = { top, newest, gaps };
    const isOverGap = top > before.top && between(this.#parts.events.gaps, before.top, top).length > 0;
    if (isOverGap || !Bun.deepEquals(gaps, before.gaps)) throw new Conflict("one has what is in a gap of the other");
  }

  /** Throws Conflict if somebody else has replaced the buffer's content during this step. */
  #checkBuffer(): void {
    if (this.#parts.events.incarnation !== this.#incarnation) throw new Conflict("the buffer has other content");
  }

  #noteDamage(error: DamagedLog): void {
    const now = performance.now();
    if (now - this.#damagedAt < DAMAGE_PAUSE_MS) {
      throw new Error(`the shared event log was damaged again: ${error.message}`, { cause: error });
    }
    this.#damagedAt = now;
    this.#parts.log.error("the shared event log is damaged, and is written anew: {why}", { why: error.message });
    this.#fault = error.message;
  }
}

/** The end of what can be taken from the log: the engine may be able to send what is in a gap at the log's end. */
function endOf({ gaps, top }: Pick<LogHead, "gaps" | "top">): number {
  const last = gaps.at(-1);
  return last?.to === top ? last.from - 1 : top;
}
