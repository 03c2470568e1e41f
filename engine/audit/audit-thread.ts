// The thread of the engine's audit trail: it writes what the engine records, in the order of the messages, and answers
// questions in between.

import { AuditFailure } from "../../common/audit/audit-failure.ts";
import { errorMessage } from "../../common/error-message.ts";
import { isStorageFull, type StorageGuard } from "../journal/storage-guard.ts";
import {
  type AuditOpening,
  type AuditQuestion,
  CELL,
  type FromAuditThread,
  SPACE,
  THREAD,
  type ToAuditThread,
} from "./audit-messages.ts";
import { SqliteAuditStore } from "./sqlite-audit-store.ts";

declare const self: Worker;

const tell = (message: FromAuditThread) => self.postMessage(message);

let store: SqliteAuditStore | null = null;
let cells: Int32Array = new Int32Array();
/** Which day is today, for the question that is being answered. */
let now = 0;
/** Ends the search for an answer, by the number of its question. */
const cancels = new Map<number, AbortController>();

/** A search that takes longer ends with a cursor. */
const SEARCH_MS = 1000;

self.onmessage = ({ data }: MessageEvent<ToAuditThread>) => {
  try {
    take(data);
  } catch (error) {
    // The engine may be waiting for the cells, so it can't read a message.
    Atomics.store(cells, CELL.state, THREAD.failed);
    Atomics.notify(cells, CELL.written);
    tell({ kind: "failed", message: errorMessage(error) });
  }
};

function take(message: ToAuditThread): void {
  if (message.kind === "open") return open(message);
  if (store === null) throw new Error("the audit trail is not open");
  switch (message.kind) {
    case "record":
      store.record(message.lines);
      store.write();
      Atomics.add(cells, CELL.written, 1);
      Atomics.notify(cells, CELL.written);
      return;
    case "truncate":
    case "beginAfter":
    case "markDelivered":
      return store[message.kind](message.position);
    case "ask":
      void answer(store, message.number, message.question);
      return;
    case "cancel":
      cancels.get(message.number)?.abort();
  }
}

function open({ directory, cells: shared }: AuditOpening): void {
  cells = shared;
  const options = { now: () => now, guard: ENGINES_GUARD, searchMs: SEARCH_MS };
  store = directory === null ? SqliteAuditStore.inMemory(options) : SqliteAuditStore.open(directory, options);
  tell({ kind: "opened", lastPosition: store.lastPosition, delivered: store.delivered });
}

async function answer(from: SqliteAuditStore, number: number, question: AuditQuestion): Promise<void> {
  const cancel = new AbortController();
  cancels.set(number, cancel);
  try {
    tell({ kind: "answer", number, answer: await answerTo(from, question, cancel.signal) });
  } catch (error) {
    const failure = error instanceof AuditFailure ? error : null;
    const { message } = error as Error;
    tell({ kind: "refused", number, message, code: failure?.code ?? null, hint: failure?.hint });
  } finally {
    cancels.delete(number);
  }
}

async function answerTo(from: SqliteAuditStore, question: AuditQuestion, signal: AbortSignal): Promise<unknown> {
  switch (question.kind) {
    case "query":
      return await from.query(question.query, question.viewer, signal);
    case "orderEvents":
      now = question.now;
      return await from.orderEvents(question.orderId, question.query, signal);
    case "after":
      return from.after(question.position, question.limit);
    case "blocksAfter":
      return from.blocksAfter(question.position);
    case "sync":
      return from.sync();
    case "close":
      return from.close();
  }
}

/** The guard is in the engine's thread: this thread waits until the engine has made space. */
const ENGINES_GUARD: StorageGuard = {
  refusal: null,
  attempt(work) {
    for (;;) {
      try {
        return work();
      } catch (error) {
        if (!isStorageFull(error) || !asksForSpace()) throw error;
      }
    }
  },
  makeSpace: () => false,
  close: () => {},
  stop: () => {},
};

function asksForSpace(): boolean {
  Atomics.store(cells, CELL.space, SPACE.asked);
  Atomics.store(cells, CELL.state, THREAD.needsSpace);
  Atomics.notify(cells, CELL.written);
  tell({ kind: "full" });
  Atomics.wait(cells, CELL.space, SPACE.asked);
  Atomics.store(cells, CELL.state, THREAD.runs);
  return Atomics.load(cells, CELL.space) === SPACE.made;
}
