// The layout of the audit trail in table storage: every query is a range of row keys within one partition, or a range of
// partitions. docs/audit-storage.md lists the cost of each query.
//
// Each event is stored whole in three indexes, so that no query needs a second request:
//
//   day!<day>        <id>                    all events of a UTC day
//   subject!<year>   <subject>!<day>!<id>    by the module that the event is about, and by its order if that is another module
//   name!<year>      <name>!<day>!<id>       by the name of the event
//
// Days and ids are inverted, so that keys sort newest first. A value of letters, digits and -._: is part of the key as it is.
// Any other value (forbidden characters / \ # ? and control characters, quotes, our separators, more than 200 characters) is
// replaced by its SHA-256. Therefore events that were read are compared with the query again.

import type { AuditEvent } from "../../../protocol/index.ts";
import { DAY_MS } from "../../../protocol/time-units.ts";

export const TABLE_NAME = "mktaudit";

/** A stored row. The service compares `type`; the event is JSON in the parts json0, json1, ... */
export type TableRow = { readonly partitionKey: string; readonly rowKey: string; readonly [property: string]: string };

/** Rows with keys after `after` and before `before`, or partitions from `fromPartition` to `toPartition`. */
export type KeyRange =
  | { readonly partition: string; readonly after: string; readonly before: string }
  | { readonly fromPartition: string; readonly toPartition: string };

/** The last event that a search has read. */
export interface Position {
  readonly day: string;
  readonly id: string;
}

type IndexName = "subject" | "name";

const MAX_DAY = 99_999;
const DAY_DIGITS = 5;
const PLAIN = /^[A-Za-z0-9._:-]{1,200}$/;
/** The separator of keys, and the character after it. */
const [SEPARATOR, AFTER_SEPARATOR] = ["!", '"'];
/** A property holds 32,768 UTF-16 units. */
const PART_LENGTH = 30_000;

export function rowsOf(event: AuditEvent): TableRow[] {
  const day = event.time.slice(0, 10);
  const id = invertedId(event.id);
  const content = { type: keyPart(event.moduleType), ...jsonParts(event) };
  const indexed = (index: IndexName, value: string): TableRow => ({
    partitionKey: yearPartition(index, Number(day.slice(0, 4))),
    rowKey: [keyPart(value), invertedDay(day), id].join(SEPARATOR),
    ...content,
  });
  const rows = [
    { partitionKey: dayPartition(day), rowKey: id, ...content },
    indexed("name", event.event),
    indexed("subject", event.moduleId),
  ];
  if (event.orderId !== null && event.orderId !== event.moduleId) rows.push(indexed("subject", event.orderId));
  return rows;
}

export function eventIn(row: Readonly<Record<string, unknown>>): AuditEvent {
  let json = "";
  for (let part = 0; typeof row[`json${part}`] === "string"; part += 1) json += row[`json${part}`];
  return JSON.parse(json);
}

/** The days from `from` to `to`, newest first, after `position`. */
export function dayRanges(from: string, to: string, position: Position | null): KeyRange[] {
  if (position === null) return [{ fromPartition: dayPartition(to), toPartition: dayPartition(from) }];
  const partition = dayPartition(position.day);
  const rest = { fromPartition: partition + SEPARATOR, toPartition: dayPartition(from) };
  const ranges = [{ partition, after: invertedId(position.id), before: AFTER_DIGITS }];
  return position.day === from ? ranges : [...ranges, rest];
}

/** The entries of an index for `value` in the days from `from` to `to`, newest first, after `position`. */
export function indexRanges(
  index: IndexName,
  value: string,
  from: string,
  to: string,
  position: Position | null,
): KeyRange[] {
  const prefix = keyPart(value) + SEPARATOR;
  const newest = position === null
    ? prefix + invertedDay(to)
    : [keyPart(value), invertedDay(position.day), invertedId(position.id)].join(SEPARATOR);
  const oldest = prefix + invertedDay(from) + AFTER_SEPARATOR;
  const ranges: KeyRange[] = [];
  for (let year = yearOf(position?.day ?? to); year >= yearOf(from); year -= 1) {
    ranges.push({ partition: yearPartition(index, year), after: newest, before: oldest });
  }
  return ranges;
}

/** A value as part of a key or a comparison. Contains only letters, digits and -._:~ */
export function keyPart(value: string): string {
  return PLAIN.test(value) ? value : `~${new Bun.CryptoHasher("sha256").update(value).digest("hex")}`;
}

function jsonParts(event: AuditEvent): Record<string, string> {
  // A transaction is sent as lines of text, and some services treat these two characters as line ends.
  const json = JSON.stringify(event).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
  const parts: Record<string, string> = {};
  for (let start = 0, part = 0; start < json.length; start += PART_LENGTH, part += 1) {
    parts[`json${part}`] = json.slice(start, start + PART_LENGTH);
  }
  return parts;
}

function dayPartition(day: string): string {
  return `day${SEPARATOR}${invertedDay(day)}`;
}

function yearPartition(index: IndexName, year: number): string {
  return `${index}${SEPARATOR}${year}`;
}

/** Days are clamped to 1970 through 2243; no event is outside. */
function invertedDay(day: string): string {
  const number = Math.floor(Date.parse(day) / DAY_MS);
  return String(MAX_DAY - Math.min(Math.max(number, 0), MAX_DAY)).padStart(DAY_DIGITS, "0");
}

function yearOf(day: string): number {
  return new Date(Math.max(Date.parse(day), 0)).getUTCFullYear();
}

/** After every inverted id. */
const AFTER_DIGITS = ":";

function invertedId(id: string): string {
  return id.replaceAll(/\d/g, (digit) => String(9 - Number(digit)));
}
