// The log of one history on Redis: its commands, with their replies checked.
//
// Limits: a batch and a page have at most BATCH_ITEMS entries of a stream, and about BATCH_BYTES of text; more only if a single
// entry is longer.

import { createHash } from "node:crypto";
import {
  type CategoryCounts,
  countsOf,
  type Gap,
  type History,
  type HistoryItem,
  isGap,
  sequenceOf,
} from "../../core/market/event-content.ts";
import { EVENT_CATEGORIES } from "../../protocol/index.ts";
import { DAY_MS, HOUR_MS } from "../../protocol/time-units.ts";
import type { Keys } from "../redis/keys.ts";
import type { RedisLink, Script } from "../redis/redis-link.ts";
import { DamagedLog, decodeItem, encodeItem, integerOf, type StreamName, STREAMS } from "./log-item-codec.ts";
import { APPEND, FILL, READ, REPLACE } from "./log-scripts.ts";

export const BATCH_ITEMS = 400;
const PAGE_ITEMS = 200;
const BATCH_BYTES = 1_000_000;
/** A replica that no longer writes lets another one begin after this. */
const LEASE_MS = 1_000;
/** New streams that were not put in use, and streams that were replaced. */
const UNUSED_MS = 60_000;
/** A log to which nothing is appended. Its readers write it anew if it is gone. */
const KEPT_MS = 7 * DAY_MS;
/** The log of a history that a newer one has followed. */
const OLD_HISTORY_MS = HOUR_MS;

/** How far a log is. */
interface LogPosition {
  readonly generation: string;
  readonly top: number;
  /** The newest event; 0 if there is none. Above it is nothing but a gap. */
  readonly newest: number;
  /** Entries of the gap stream. */
  readonly gapEntries: number;
}

export interface LogHead extends LogPosition {
  readonly start: number;
  /** Events since `start`. */
  readonly added: CategoryCounts;
}

/** What happened to a batch. */
type Appended =
  | {
    /** `held`: nothing was written, because another replica has the lease. */
    readonly kind: "ok" | "held";
    readonly before: number;
    readonly top: number;
    /** See LogPosition. */
    readonly newest: number;
    readonly gapEntriesBefore: number;
    readonly gapEntries: number;
    readonly isWriter: boolean;
  }
  /** The log ends before the number after which the batch begins. */
  | { readonly kind: "back"; readonly top: number }
  /** The log has another generation, or is gone. */
  | { readonly kind: "moved" };

interface Batch {
  readonly generation: string;
  readonly writer: string;
  /** Whether to write although another replica has the lease. */
  readonly force: boolean;
  /** The items are all that there are after this number, or the first of them. */
  readonly after: number;
  /** Written from the first one on, as many as fit into one batch. */
  readonly items: readonly HistoryItem[];
  /** Events that a buffer keeps of each category. The log keeps one more, which tells a restored buffer where its loss ends. */
  readonly size: number;
}

/** What is to become the log. */
interface NewLog {
  readonly start: number;
  readonly top: number;
  readonly items: readonly HistoryItem[];
  readonly added: CategoryCounts;
}

/** A part of the log, as of `head`. */
export interface LogPart {
  readonly head: LogHead;
  /** By stream, each ascending. */
  readonly items: Readonly<Record<StreamName, readonly HistoryItem[]>>;
}

/** Of hash and entries. A replica of another format has a log of its own, so two versions can run side by side. */
const FORMAT = 1;

function digestOf({ engineId, epoch, userId, entityId, capabilities }: History): string {
  const text = JSON.stringify([FORMAT, engineId, epoch, userId, entityId, capabilities.toSorted()]);
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

/** As many of the items, from this place on, as fit into one batch, as APPEND and FILL take them: stream, number, text. */
function batchFrom(start: number, items: readonly HistoryItem[]): { readonly end: number; readonly entries: string[] } {
  const entries: string[] = [];
  let end = start;
  for (let bytes = 0; end < items.length && end - start < BATCH_ITEMS && bytes <= BATCH_BYTES; end += 1) {
    const item = items[end]!;
    const text = encodeItem(item);
    bytes += text.length;
    entries.push(String(STREAMS.indexOf(streamOf(item)) + 1), String(sequenceOf(item)), text);
  }
  return { end, entries };
}

/** The newest event of ascending items; 0 if there is none. */
export function newestOf(items: readonly HistoryItem[]): number {
  const newest = items.findLast((item) => !isGap(item));
  return newest === undefined ? 0 : sequenceOf(newest);
}

export class LogStore {
  readonly digest: string;
  readonly #headKey: string;
  readonly #leaseKey: string;

  constructor(private readonly link: RedisLink, private readonly keys: Keys, readonly history: History) {
    this.digest = digestOf(history);
    this.#headKey = keys.history(this.digest);
    this.#leaseKey = keys.lease(this.digest);
  }

  /** Null: there is no log. Throws DamagedLog. */
  async generation(): Promise<string | null> {
    const generation = await this.#send("HGET", [this.#headKey, "generation"]);
    return typeof generation === "string" && generation !== "" ? generation : null;
  }

  /** How far the log is; null: there is none. Only the hash is read, so damaged streams are not noticed. Throws DamagedLog. */
  async look(): Promise<LogPosition | null> {
    const reply = await this.#send("HMGET", [this.#headKey, "generation", "top", "newest", "gaps"]);
    const [generation, top, newest, gaps] = reply as readonly unknown[];
    return typeof generation === "string" && generation !== ""
      ? { generation, ...positionOf(top, newest, gaps) }
      : null;
  }

  async append({ generation, writer, force, after, items, size }: Batch): Promise<Appended> {
    const reply = await this.#run(APPEND, [this.#headKey, this.#leaseKey, ...this.#streams(generation)], [
      ...[generation, writer, String(LEASE_MS), force ? "1" : "0", String(after), String(size + 1), String(KEPT_MS)],
      ...batchFrom(0, items).entries,
    ]);
    const [kind, before, top, newest, gapEntriesBefore, gapEntries, isWriter] = reply;
    if (kind === "back") return { kind, top: integerOf(before, "the top of the log") };
    if (kind === "moved" || kind === "absent") return { kind: "moved" };
    return {
      kind: kind === "held" ? "held" : "ok",
      before: integerOf(before, "the top of the log"),
      top: integerOf(top, "the top of the log"),
      newest: integerOf(newest, "the newest event of the log"),
      gapEntriesBefore: integerOf(gapEntriesBefore, "the number of gaps"),
      gapEntries: integerOf(gapEntries, "the number of gaps"),
      isWriter: isWriter === 1,
    };
  }

  /** The head and the gaps; null if the log has another generation by now. */
  async gaps(generation: string): Promise<{ readonly head: LogHead; readonly gaps: readonly Gap[] } | null> {
    const part = await this.#read(generation, 0, ["gap"]);
    return part === null ? null : { head: part.head, gaps: part.items.gap.filter(isGap) };
  }

  /**
   * Everything after a number, up to the top at the beginning; null if the log has another generation by now. Entries that are
   * trimmed meanwhile are not in it.
   */
  async read(generation: string, after: number): Promise<LogPart | null> {
    return await this.#read(generation, after, STREAMS);
  }

  /** Adds entries to a generation that is not in use yet. */
  async fill(generation: string, items: readonly HistoryItem[]): Promise<void> {
    for (let at = 0; at < items.length;) {
      const { end, entries } = batchFrom(at, items);
      await this.#run(FILL, this.#streams(generation), [String(UNUSED_MS), ...entries]);
      at = end;
    }
  }

  /** Removes a generation that was not put in use. */
  async discard(generation: string): Promise<void> {
    await this.#send("UNLINK", this.#streams(generation));
  }

  /**
   * Puts a filled generation in use. `old`: the generation to replace, null if there is no log. The streams hold `items`.
   */
  async replace(
    generation: string,
    old: { readonly generation: string | null; readonly isDamaged: boolean },
    { start, top, items, added }: NewLog,
  ): Promise<"ok" | "moved" | "behind" | "incomplete"> {
    const inStream = (name: StreamName) => items.filter((item) => streamOf(item) === name).length;
    const fields = [
      ...["generation", generation, "start", String(start), "top", String(top)],
      ...["newest", String(newestOf(items)), "gaps", String(inStream("gap"))],
      ...EVENT_CATEGORIES.flatMap((name, at) => [`a${at + 1}`, String(added[name])]),
      ...EVENT_CATEGORIES.flatMap((name, at) => [`r${at + 1}`, String(added[name] - inStream(name))]),
    ];
    const oldStreams = old.generation === null ? [] : this.#streams(old.generation);
    const [kind] = await this.#run(REPLACE, [
      this.#headKey,
      this.#leaseKey,
      ...this.#streams(generation),
      ...oldStreams,
    ], [
      ...[old.generation ?? "", old.isDamaged ? "1" : "0", String(UNUSED_MS), String(KEPT_MS)],
      ...fields,
    ]);
    return kind as "ok" | "moved" | "behind" | "incomplete";
  }

  /** Lets the log expire soon, unless a replica still writes it. */
  async expire(): Promise<void> {
    const generation = await this.generation();
    if (generation === null) return;
    for (const key of [this.#headKey, ...this.#streams(generation)]) {
      await this.#send("PEXPIRE", [key, String(OLD_HISTORY_MS)]);
    }
  }

  async #read(generation: string, after: number, names: readonly StreamName[]): Promise<LogPart | null> {
    const items = Object.fromEntries(STREAMS.map((name) => [name, []])) as unknown as Record<StreamName, HistoryItem[]>;
    const cursors = STREAMS.map((name) => names.includes(name) ? String(after) : "-");
    let first: LogHead | null = null;
    let firstRemoved: CategoryCounts | null = null;
    do {
      const reply = await this.#run(READ, [this.#headKey, ...this.#streams(generation)], [
        ...[generation, first === null ? "" : String(first.top), String(PAGE_ITEMS), String(BATCH_BYTES)],
        ...cursors,
      ]);
      if (reply[0] !== "ok") return null;
      const head = headOf(reply[1]);
      const removed = removedOf(reply[1]);
      first ??= head;
      firstRemoved ??= removed;
      for (const [at, name] of STREAMS.entries()) {
        const page = decoded(name, reply[2 + 2 * at]);
        // Entries between the last page and this one may be gone. Then those of the last page are gone too.
        if (name !== "gap" && removed[name] - firstRemoved[name] > items[name].length) items[name] = [];
        items[name].push(...page);
        if (cursors[at] === "-") continue;
        const last = page.at(-1);
        if (last !== undefined) cursors[at] = String(sequenceOf(last));
        if (reply[3 + 2 * at] !== 1) cursors[at] = "-";
      }
    } while (cursors.some((cursor) => cursor !== "-"));
    return { head: first, items };
  }

  #streams(generation: string): string[] {
    return STREAMS.map((name) => this.keys.stream(`${this.digest}.${generation}`, name));
  }

  async #run(script: Script, keys: readonly string[], args: readonly string[]): Promise<readonly unknown[]> {
    const reply = await damageOf(this.link.run(script, keys, args));
    const [kind, why] = Array.isArray(reply) ? reply as unknown[] : [reply];
    if (kind === "damaged") throw new DamagedLog(String(why));
    return Array.isArray(reply) ? reply : [reply];
  }

  #send(command: string, args: readonly string[]): Promise<unknown> {
    return damageOf(this.link.send(command, args));
  }
}

/** A key of another type is damage. Every other refusal is Redis' own. */
async function damageOf(reply: Promise<unknown>): Promise<unknown> {
  try {
    return await reply;
  } catch (error) {
    const { message } = error as Error;
    if (message.includes("WRONGTYPE")) throw new DamagedLog(message, { cause: error });
    throw error;
  }
}

function streamOf(item: HistoryItem): StreamName {
  return isGap(item) ? "gap" : item.category;
}

function headOf(reply: unknown): LogHead {
  if (!Array.isArray(reply)) throw new DamagedLog("the log has no head");
  const [generation, start, top, newest, gaps, ...counts] = reply as unknown[];
  const head = {
    generation: String(generation),
    start: integerOf(start, "the start of the log"),
    ...positionOf(top, newest, gaps),
    added: countsOf((category) =>
      integerOf(counts[EVENT_CATEGORIES.indexOf(category)], `the number of ${category} events`)
    ),
  };
  if (head.start > head.top) throw new DamagedLog("the log starts after its top");
  return head;
}

function positionOf(top: unknown, newest: unknown, gaps: unknown): Omit<LogPosition, "generation"> {
  return {
    top: integerOf(top, "the top of the log"),
    newest: integerOf(newest, "the newest event of the log"),
    gapEntries: integerOf(gaps, "the number of gaps"),
  };
}

/** Of the same reply as `headOf`: the events that are no longer in the streams. */
function removedOf(reply: unknown): CategoryCounts {
  const counts = (reply as readonly unknown[]).slice(5 + EVENT_CATEGORIES.length);
  return countsOf((category) =>
    integerOf(counts[EVENT_CATEGORIES.indexOf(category)], `the number of ${category} events that are gone`)
  );
}

/** `page`: ids and texts in turn. */
function decoded(name: StreamName, page: unknown): HistoryItem[] {
  if (!Array.isArray(page)) throw new DamagedLog(`the stream of ${name} can't be read`);
  return Array.from({ length: page.length / 2 }, (_, at) => decodeItem(name, page[2 * at], page[2 * at + 1]));
}
