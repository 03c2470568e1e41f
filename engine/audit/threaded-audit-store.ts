// The engine's own audit trail in a thread of its own (audit-thread.ts), so matching waits for neither its writes nor its
// queries.
//
// Events are handed over some POSTED_CHARACTERS at a time, and before every question. The thread takes all messages in their
// order. If it is MOST_WAITING batches behind, `record` waits until it has written one, so memory stays bounded: matching is
// then as fast as the trail.
//
// A full disk is met here: the thread waits while the storage guard makes space. If there is none, or if the thread fails in
// another way, the trail has failed: `watch` is told, and every later call throws.

import { AuditFailure } from "../../common/audit/audit-failure.ts";
import type { AuditViewer } from "../../common/audit/audit-visibility.ts";
import { threadUrl } from "../../common/thread-url.ts";
import type { AuditEvent, AuditPage, AuditQuery, OrderEventsQuery } from "../../protocol/index.ts";
import { lastPositionIn } from "../api/audit-lines.ts";
import { type StorageGuard, UNGUARDED } from "../journal/storage-guard.ts";
import {
  type AuditQuestion,
  CELL,
  type FromAuditThread,
  newCells,
  SPACE,
  THREAD,
  type ToAuditThread,
} from "./audit-messages.ts";
import type { BlockRow } from "./audit-blocks.ts";
import type { EngineAuditStore } from "./engine-audit-store.ts";

/** Some 500 events. */
const POSTED_CHARACTERS = 200_000;
/** Some 40 MB of events. */
const MOST_WAITING = 200;
/** How often a wait looks whether the thread needs space. */
const LOOK_MS = 50;
/** A thread that has written nothing for so long has failed. */
const SILENCE_MS = 60_000;

interface ThreadedAuditOptions {
  /** Null: in memory. */
  readonly directory: string | null;
  /** Milliseconds since the epoch; decides which day is today. */
  readonly now: () => number;
  /** Default UNGUARDED. */
  readonly guard?: StorageGuard;
}

export class ThreadedAuditStore implements EngineAuditStore {
  readonly isDurable: boolean;
  readonly #options: ThreadedAuditOptions;
  readonly #thread: Worker;
  readonly #cells = newCells();
  readonly #opened = Promise.withResolvers<void>();
  readonly #answers = new Map<number, PromiseWithResolvers<unknown>>();
  #questions = 0;
  #posted = 0;
  /** Lines that were not handed over yet, oldest first. */
  #pending: string[] = [];
  #pendingCharacters = 0;
  /** Position of the newest event that was handed over. */
  #lastPosition = 0;
  #delivered: number | null = null;
  #failure: Error | null = null;
  #onFailure: (failure: Error) => void = () => {};
  #isClosed = false;

  /** Opens the trail of a directory, which must exist, or one in memory. Rejects with an Error of one line. */
  static async open(options: ThreadedAuditOptions): Promise<ThreadedAuditStore> {
    const store = new ThreadedAuditStore(options);
    try {
      await store.#opened.promise;
      return store;
    } catch (error) {
      store.#thread.terminate();
      throw error;
    }
  }

  private constructor(options: ThreadedAuditOptions) {
    const { directory } = this.#options = options;
    this.isDurable = directory !== null;
    this.#thread = new Worker(threadUrl("engine/audit/audit-thread.ts"));
    this.#thread.onmessage = ({ data }: MessageEvent<FromAuditThread>) => this.#take(data);
    this.#thread.onerror = ({ message }) => this.#fail(new Error(message));
    this.#thread.addEventListener("close", () => this.#fail(new Error("the thread of the audit trail has ended")));
    this.#tell({ kind: "open", directory, cells: this.#cells });
  }

  get lastPosition(): number {
    return Math.max(this.#lastPosition, lastPositionIn(this.#pending.at(-1) ?? ""));
  }

  record(lines: string): void {
    this.#expectWorking();
    if (lines === "") return;
    this.#pending.push(lines);
    this.#pendingCharacters += lines.length;
    if (this.#pendingCharacters >= POSTED_CHARACTERS) this.#post();
  }

  async query(query: AuditQuery, viewer?: AuditViewer, signal?: AbortSignal): Promise<AuditPage> {
    const plain = viewer && { entityId: viewer.entityId, permissions: viewer.permissions };
    return await this.#ask({ kind: "query", query, viewer: plain }, signal) as AuditPage;
  }

  async orderEvents(orderId: string, query: OrderEventsQuery, signal?: AbortSignal): Promise<AuditPage> {
    return await this.#ask({ kind: "orderEvents", orderId, query, now: this.#options.now() }, signal) as AuditPage;
  }

  async sync(): Promise<void> {
    await this.#ask({ kind: "sync" });
  }

  truncate(position: number): void {
    this.#change("truncate", position);
    this.#lastPosition = Math.min(position, this.#lastPosition);
  }

  beginAfter(position: number): void {
    this.#change("beginAfter", position);
    this.#lastPosition = position;
  }

  get delivered(): number | null {
    return this.#delivered;
  }

  beginDelivery(): number {
    if (this.#delivered === null) this.markDelivered(0);
    return this.#delivered ?? 0;
  }

  markDelivered(position: number): void {
    this.#change("markDelivered", position);
    this.#delivered = position;
  }

  async after(position: number, limit: number): Promise<AuditEvent[]> {
    return await this.#ask({ kind: "after", position, limit }) as AuditEvent[];
  }

  async blocksAfter(position: number): Promise<BlockRow[]> {
    return await this.#ask({ kind: "blocksAfter", position }) as BlockRow[];
  }

  watch(onFailure: (failure: Error) => void): void {
    this.#onFailure = onFailure;
    if (this.#failure !== null) onFailure(this.#failure);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    try {
      if (this.#failure === null) await this.#ask({ kind: "close" });
    } finally {
      this.#thread.terminate();
    }
  }

  #change(kind: "truncate" | "beginAfter" | "markDelivered", position: number): void {
    this.#expectWorking();
    this.#post();
    this.#tell({ kind, position });
  }

  /** Throws the reason of `signal` if that aborts first; the thread then stops its search. */
  async #ask(question: AuditQuestion, signal?: AbortSignal): Promise<unknown> {
    this.#expectWorking();
    signal?.throwIfAborted();
    this.#post();
    const answer = Promise.withResolvers<unknown>();
    const number = ++this.#questions;
    this.#answers.set(number, answer);
    this.#tell({ kind: "ask", number, question });
    const cancel = () => {
      if (this.#answers.delete(number)) this.#tell({ kind: "cancel", number });
      answer.reject(signal?.reason);
    };
    signal?.addEventListener("abort", cancel);
    try {
      return await answer.promise;
    } finally {
      signal?.removeEventListener("abort", cancel);
    }
  }

  #post(): void {
    if (this.#pending.length === 0) return;
    const { lastPosition } = this;
    const lines = this.#pending.join("");
    this.#pending = [];
    this.#pendingCharacters = 0;
    // A replay gives all events since the checkpoint again, and the trail has most of them.
    if (lastPosition === this.#lastPosition) return;
    this.#lastPosition = lastPosition;
    this.#tell({ kind: "record", lines });
    this.#posted += 1;
    this.#waitUntilFewWait();
  }

  /** Holds up this thread while the other one is too far behind. */
  #waitUntilFewWait(): void {
    let silentSince = performance.now();
    for (;;) {
      const written = Atomics.load(this.#cells, CELL.written);
      if (this.#posted - written < MOST_WAITING) return;
      if (Atomics.load(this.#cells, CELL.state) === THREAD.needsSpace) this.#makeSpace();
      const hasMoved = Atomics.wait(this.#cells, CELL.written, written, LOOK_MS) !== "timed-out" ||
        Atomics.load(this.#cells, CELL.written) !== written;
      if (hasMoved) silentSince = performance.now();
      const isSilent = performance.now() - silentSince > SILENCE_MS;
      if (isSilent || Atomics.load(this.#cells, CELL.state) === THREAD.failed) {
        const failure = new Error("the audit trail can't be written");
        this.#fail(failure);
        throw failure;
      }
    }
  }

  /** Answers a thread that waits because the disk is full. */
  #makeSpace(): void {
    if (Atomics.load(this.#cells, CELL.space) !== SPACE.asked) return;
    const hasSpace = this.#options.guard?.makeSpace() ?? UNGUARDED.makeSpace();
    Atomics.store(this.#cells, CELL.space, hasSpace ? SPACE.made : SPACE.none);
    Atomics.notify(this.#cells, CELL.space);
  }

  #take(message: FromAuditThread): void {
    switch (message.kind) {
      case "opened":
        this.#lastPosition = message.lastPosition;
        this.#delivered = message.delivered;
        return this.#opened.resolve();
      case "full":
        return this.#makeSpace();
      case "failed":
        return this.#fail(new Error(message.message));
      case "answer":
      case "refused": {
        const answer = this.#answers.get(message.number);
        this.#answers.delete(message.number);
        if (message.kind === "answer") answer?.resolve(message.answer);
        else answer?.reject(refusalOf(message));
      }
    }
  }

  /** Does nothing after the first time, or after a close. */
  #fail(failure: Error): void {
    for (const { reject } of this.#answers.values()) reject(failure);
    this.#answers.clear();
    if (this.#isClosed || this.#failure !== null) return;
    this.#failure = failure;
    this.#opened.reject(failure);
    this.#onFailure(failure);
  }

  #expectWorking(): void {
    if (this.#failure !== null) throw this.#failure;
  }

  #tell(message: ToAuditThread): void {
    this.#thread.postMessage(message);
  }
}

function refusalOf({ message, code, hint }: FromAuditThread & { readonly kind: "refused" }): Error {
  return code === null ? new Error(message) : new AuditFailure(code, message, hint ?? "");
}
