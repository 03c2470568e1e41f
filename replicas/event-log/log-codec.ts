// The log as texts. An event is a JSON array: type, time, data, and the book after a change.book; its number is the id of its
// entry. Gaps are one text: `from-to` for each, with a space after it. The fields of the head: see log-store.ts.
//
// What Redis gives back is checked like a message of an engine. Who can write to Redis can still forge an event that fits, as
// an engine could. Redis must not be open to others than the replicas.

import { createHash } from "node:crypto";
import { fitsModule, fitsProtocol } from "../../protocol/checkers/message-tests.ts";
import {
  categoryOf,
  EVENT_CATEGORIES,
  type EventCategory,
  type EventMessage,
  EVENTS,
  replacesState,
  taggedEngineMessage,
} from "../../protocol/index.ts";
import { isDeeperThan, isObject, parseJson } from "../../protocol/json.ts";
import { MAX_DEPTH } from "../../protocol/limits.ts";
import type { ModuleData } from "../../protocol/modules/registry.ts";
import { type CategoryCounts, countsOf, type Gap, type History } from "../../core/market/event-content.ts";
import type { BufferedEvent } from "../../core/market/event-reader.ts";
import { type HistoryItem, isGap, sequenceOf } from "../history/content.ts";

/** Limits of a batch: entries, and bytes of text; more only if a single entry is longer. */
const BATCH_ENTRIES = 400;
const BATCH_BYTES = 1_000_000;

/** Of a head and its entries. A replica of another format has a log of its own, so two versions can run side by side. */
const FORMAT = 2;
const ENTRY_ID = /^([1-9][0-9]{0,15})-0$/;
const INTEGER = /^(0|[1-9][0-9]{0,15})$/;

/** The log on Redis is not what replicas have written. */
export class DamagedLog extends Error {}

/** A key of another type is damage. Every other refusal is Redis' own. */
export function throwDamage(error: Error): never {
  throw error.message.includes("WRONGTYPE") ? new DamagedLog(error.message, { cause: error }) : error;
}

/** Names the log of a history. */
export function digestOf({ engineId, epoch, userId, entityId, capabilities }: History): string {
  const text = JSON.stringify([FORMAT, engineId, epoch, userId, entityId, capabilities.toSorted()]);
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

/** How far a log is. */
export interface LogPosition {
  readonly top: number;
  /** The newest event; 0 if there is none. After it is nothing but gaps. */
  readonly newest: number;
  readonly gaps: readonly Gap[];
}

export interface LogHead extends LogPosition {
  readonly generation: string;
  readonly start: number;
  /** No event after this number is evicted. */
  readonly evicted: number;
  /** Events since `start`. */
  readonly added: CategoryCounts;
}

/** Of the hash, in the order in which `decodeHead` takes them. */
export const HEAD_FIELDS = [
  ...["generation", "start", "top", "newest", "gaps", "evicted"],
  ...EVENT_CATEGORIES.map((_, at) => `a${at + 1}`),
];

/** Null: there is no log. Throws DamagedLog. */
export function decodeHead(fields: unknown, epoch: number): LogHead | null {
  const [generation, start, top, newest, gaps, evicted, ...added] = fields as unknown[];
  if (typeof generation !== "string") return null;
  const counts = added.map((count) => integerOf(count, "the number of events"));
  const head = {
    ...{ generation, start: integerOf(start, "the start of the log"), ...decodePosition(top, newest, gaps) },
    evicted: integerOf(evicted, "the newest evicted event"),
    added: countsOf((category) => counts[EVENT_CATEGORIES.indexOf(category)]!),
  };
  if (head.start < epoch) throw new DamagedLog("the log starts before its epoch");
  if (head.start > head.top) throw new DamagedLog("the log starts after its top");
  return head;
}

/** Throws DamagedLog. */
export function decodePosition(top: unknown, newest: unknown, gaps: unknown): LogPosition {
  return {
    top: integerOf(top, "the top of the log"),
    newest: integerOf(newest, "the newest event of the log"),
    gaps: decodeGaps(gaps),
  };
}

/** As many items, from this place on, as fit into one batch: number, text, stream. Of a gap: its end, its first number, 0. */
export function encodeBatch(start: number, items: readonly HistoryItem[]) {
  const entries: string[] = [];
  let end = start;
  for (let bytes = 0; end < items.length && end - start < BATCH_ENTRIES && bytes <= BATCH_BYTES; end += 1) {
    const item = items[end]!;
    const text = isGap(item) ? String(item.from) : encodeEvent(item);
    const stream = isGap(item) ? 0 : EVENT_CATEGORIES.indexOf(item.category) + 1;
    bytes += text.length;
    entries.push(String(sequenceOf(item)), text, String(stream));
  }
  return { end, entries };
}

export function encodeEvent({ type, time, data, book }: BufferedEvent): string {
  return JSON.stringify(book === null ? [type, time, data] : [type, time, data, book]);
}

/** Throws DamagedLog if it is not what `encodeEvent` writes for an event of this category. */
export function decodeEvent(category: EventCategory, id: unknown, text: unknown): BufferedEvent {
  const sequence = integerOf(typeof id === "string" ? ENTRY_ID.exec(id)?.[1] : undefined, `the id ${String(id)}`);
  const fields = typeof text === "string" ? parseJson(text) : null;
  if (!Array.isArray(fields) || fields.length < 3 || fields.length > 4 || isDeeperThan(MAX_DEPTH, fields)) {
    throw new DamagedLog(`entry ${sequence} of the stream of ${category} is no event`);
  }
  const [type, time, data, book = null] = fields as unknown[];
  const isEvent = typeof type === "string" && typeof time === "string" && isObject(data) &&
    fits({ kind: "event", sequence, type, time, data });
  if (!isEvent || categoryOf(type) !== category) {
    throw new DamagedLog(`entry ${sequence} of the stream of ${category} is no event of the protocol`);
  }
  if (book !== null && !fitsModule("ENGINE", book)) throw new DamagedLog(`the book of event ${sequence} is none`);
  return { sequence, category, type, time, data, book: book as ModuleData<"ENGINE"> | null };
}

/** Throws DamagedLog if the text is not a list of gaps. */
export function decodeGaps(text: unknown): Gap[] {
  if (typeof text !== "string" || (text !== "" && !text.endsWith(" "))) throw new DamagedLog("the gaps can't be read");
  return text.split(" ").slice(0, -1).map((gap) => {
    const [from, to, ...more] = gap.split("-").map((number) => integerOf(number, `an end of the gap ${gap}`));
    if (from === undefined || to === undefined || more.length > 0 || from > to) {
      throw new DamagedLog(`the gap ${gap} does not go from one number up to another`);
    }
    return { from, to };
  });
}

/** Throws DamagedLog if the text is no safe integer from 0. */
function integerOf(text: unknown, what: string): number {
  const number = typeof text === "string" && INTEGER.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(number)) throw new DamagedLog(`${what} is not a number of an event`);
  return number;
}

/** Whether an event is one of the protocol, with the data of its type. */
function fits(message: Omit<EventMessage, "data"> & { readonly data: Readonly<Record<string, unknown>> }): boolean {
  if (fitsProtocol(message)) return true;
  const { type, data } = message;
  return taggedEngineMessage.safeParse(message).success &&
    (!replacesState(type) || EVENTS[type].safeParse(data).success);
}
