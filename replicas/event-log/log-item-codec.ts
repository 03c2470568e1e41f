// Entries of the log as texts. An event is a JSON array: type, time, data, and the book after a change.book. A gap is its first
// number; its last one is the entry's id.
//
// What Redis gives back is checked like a message of an engine. Who can write to Redis can still forge an event that fits, as
// an engine could. Redis must not be open to others than the replicas.

import { fitsModule, fitsProtocol } from "../../protocol/checkers/message-tests.ts";
import {
  categoryOf,
  EVENT_CATEGORIES,
  type EventMessage,
  EVENTS,
  replacesState,
  taggedEngineMessage,
} from "../../protocol/index.ts";
import { isDeeperThan, isObject, parseJson } from "../../protocol/json.ts";
import { MAX_DEPTH } from "../../protocol/limits.ts";
import type { ModuleData } from "../../protocol/modules/registry.ts";
import { type Gap, type HistoryItem, isGap } from "../../core/market/event-content.ts";
import type { BufferedEvent } from "../../core/market/event-reader.ts";

/** The streams of a log, in the order in which scripts know them. */
export const STREAMS = [...EVENT_CATEGORIES, "gap"] as const;
export type StreamName = (typeof STREAMS)[number];

const ENTRY_ID = /^([1-9][0-9]{0,15})-0$/;
const INTEGER = /^(0|[1-9][0-9]{0,15})$/;

/** The log on Redis is not what replicas have written. */
export class DamagedLog extends Error {}

export function encodeItem(item: HistoryItem): string {
  if (isGap(item)) return String(item.from);
  const { type, time, data, book } = item;
  return JSON.stringify(book === null ? [type, time, data] : [type, time, data, book]);
}

/** Throws DamagedLog if it is not what `encodeItem` writes for this stream. */
export function decodeItem(stream: StreamName, id: unknown, text: unknown): HistoryItem {
  const sequence = integerOf(typeof id === "string" ? ENTRY_ID.exec(id)?.[1] : undefined, `the id ${String(id)}`);
  if (typeof text !== "string") throw new DamagedLog(`entry ${id} of the stream of ${stream} has no text`);
  return stream === "gap" ? gapOf(sequence, text) : eventOf(stream, sequence, text);
}

/** Throws DamagedLog if the text is no safe integer from 0. */
export function integerOf(text: unknown, what: string): number {
  const number = typeof text === "string" && INTEGER.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(number)) throw new DamagedLog(`${what} is not a number of an event`);
  return number;
}

function gapOf(to: number, text: string): Gap {
  const from = integerOf(text, `the beginning of the gap up to ${to}`);
  if (from > to) throw new DamagedLog(`the gap from ${from} to ${to} ends before it begins`);
  return { from, to };
}

function eventOf(stream: StreamName, sequence: number, text: string): BufferedEvent {
  const fields = parseJson(text);
  if (!Array.isArray(fields) || fields.length < 3 || fields.length > 4 || isDeeperThan(MAX_DEPTH, fields)) {
    throw new DamagedLog(`entry ${sequence} of the stream of ${stream} is no event`);
  }
  const [type, time, data, book = null] = fields as unknown[];
  const isEvent = typeof type === "string" && typeof time === "string" && isObject(data) &&
    fits({ kind: "event", sequence, type, time, data });
  if (!isEvent || categoryOf(type) !== stream) {
    throw new DamagedLog(`entry ${sequence} of the stream of ${stream} is no event of the protocol`);
  }
  if (book !== null && !fitsModule("ENGINE", book)) throw new DamagedLog(`the book of event ${sequence} is none`);
  return { sequence, category: categoryOf(type), type, time, data, book: book as ModuleData<"ENGINE"> | null };
}

/** Whether an event is one of the protocol, with the data of its type. */
function fits(message: Omit<EventMessage, "data"> & { readonly data: Readonly<Record<string, unknown>> }): boolean {
  if (fitsProtocol(message)) return true;
  const { type, data } = message;
  return taggedEngineMessage.safeParse(message).success &&
    (!replacesState(type) || EVENTS[type].safeParse(data).success);
}
