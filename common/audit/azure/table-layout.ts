// How the audit trail lies in table storage, so that every query is a range of row keys within one partition, or a range
// of partitions; docs/audit-storage.md has the cost of each.
//
// Every event is written to three indexes, whole, so that no query needs a second look:
//
//   day!<day>        <id>                    all events of a UTC day
//   subject!<year>   <subject>!<day>!<id>    by the module that an event is about, and by its order where that is another
//   name!<year>      <name>!<day>!<id>       by the name of the event
//
// Days and ids are inverted, so that the order of keys is newest first. A value becomes a part of a key as it is where it
// has only letters, digits and -._: and by its SHA-256 where it has anything else: forbidden characters (/ \ # ? and
// control characters), quotes, our own separators, or too much length. What is read is compared again as a whole.

import type { AuditEvent } from "../../../protocol/index.ts";

export const TABLE_NAME = "mktaudit";

/** As it is stored: `type` is compared by the service, the event is JSON in parts json0, json1, ... */
export type TableRow = { readonly partitionKey: string; readonly rowKey: string; readonly [property: string]: string };

/** Rows with keys after `after` and before `before`, or partitions from `fromPartition` to `toPartition`. */
export type KeyRange =
  | { readonly partition: string; readonly after: string; readonly before: string }
  | { readonly fromPartition: string; readonly toPartition: string };

/** Where a walk stands: at an event of a day. */
export interface Place {
  readonly day: string;
  readonly id: string;
}

export type IndexName = "subject" | "name";

const DAY_MS = 86_400_000;
const GREATEST_DAY = 99_999;
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

/** The days from `from` to `to`, newest first, after `place`. */
export function dayRanges(from: string, to: string, place: Place | null): KeyRange[] {
  if (place === null) return [{ fromPartition: dayPartition(to), toPartition: dayPartition(from) }];
  const partition = dayPartition(place.day);
  const rest = { fromPartition: partition + SEPARATOR, toPartition: dayPartition(from) };
  const ranges = [{ partition, after: invertedId(place.id), before: AFTER_DIGITS }];
  return place.day === from ? ranges : [...ranges, rest];
}

/** What an index holds of `value` in the days from `from` to `to`, newest first, after `place`. */
export function indexRanges(
  index: IndexName,
  value: string,
  from: string,
  to: string,
  place: Place | null,
): KeyRange[] {
  const prefix = keyPart(value) + SEPARATOR;
  const newest = place === null
    ? prefix + invertedDay(to)
    : [keyPart(value), invertedDay(place.day), invertedId(place.id)].join(SEPARATOR);
  const oldest = prefix + invertedDay(from) + AFTER_SEPARATOR;
  const ranges: KeyRange[] = [];
  for (let year = yearOf(place?.day ?? to); year >= yearOf(from); year -= 1) {
    ranges.push({ partition: yearPartition(index, year), after: newest, before: oldest });
  }
  return ranges;
}

/** A value as a part of a key, or in a comparison: only letters, digits and -._:~ */
export function keyPart(value: string): string {
  return PLAIN.test(value) ? value : `~${new Bun.CryptoHasher("sha256").update(value).digest("hex")}`;
}

function jsonParts(event: AuditEvent): Record<string, string> {
  // A transaction is text in lines, and not every service agrees that these two end none.
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

/** Days before 1970 and after 2243 count as these: no event is that old or that new. */
function invertedDay(day: string): string {
  const number = Math.floor(Date.parse(day) / DAY_MS);
  return String(GREATEST_DAY - Math.min(Math.max(number, 0), GREATEST_DAY)).padStart(DAY_DIGITS, "0");
}

function yearOf(day: string): number {
  return new Date(Math.max(Date.parse(day), 0)).getUTCFullYear();
}

/** After every inverted id. */
const AFTER_DIGITS = ":";

function invertedId(id: string): string {
  return id.replaceAll(/\d/g, (digit) => String(9 - Number(digit)));
}
