// The log of one history on Redis: what is stored, and each operation with the script that Redis runs for it as one step.
//
//   history:<digest>                         the head of the log, a hash:
//     generation                               names the streams
//     start, top                               the log covers the numbers after `start` and up to `top`
//     newest                                   the newest event; 0 if there is none. After it is nothing but gaps
//     gaps                                     see log-codec.ts
//     evicted                                  no event after this number is evicted
//     a1 to a7                                 events ever added to each category, evicted ones included
//     n1 to n7                                 entries of each stream
//   events:<digest>.<generation>:<category>  a stream for each category; the id of an entry is the number of its event
//   lease:<digest>                           the replica that writes at once
//   history:<digest>.<generation>            the head of a log that is being prepared
//
// A log is prepared under another generation, and then put in use in one step. From then on it only grows at its end.
//
// Invariants: a batch holds everything that there is between the number after which it begins and its last item, and a log that
// ends before that number refuses it. So the log covers what the buffers of its writers cover. Each script first compares the
// length of each stream with the head. So a stream that somebody has trimmed, deleted, added to or replaced is noticed before
// anything is read or written. Numbers in Lua are doubles, which hold sequence numbers exactly; they are written with %.0f
// because Lua's own format would round them.

import { countsOf, type EventContent, type History } from "../../core/market/event-content.ts";
import type { BufferedEvent } from "../../core/market/event-reader.ts";
import { EVENT_CATEGORIES, type EventCategory } from "../../protocol/index.ts";
import { DAY_MS, HOUR_MS } from "../../protocol/time-units.ts";
import type { Keys } from "../redis/keys.ts";
import type { RedisLink, Script } from "../redis/redis-link.ts";
import { countsIn, type HistoryItem, inOrder, sequenceOf, wholeAfter } from "../history/content.ts";
import {
  DamagedLog,
  decodeEvent,
  decodeHead,
  decodePosition,
  digestOf,
  encodeBatch,
  HEAD_FIELDS,
  type LogHead,
  type LogPosition,
  throwDamage,
} from "./log-codec.ts";

const PAGE_EVENTS = 200;
/** A replica that no longer writes lets another one begin after this. */
const LEASE_MS = 1_000;
/** A log that was not put in use, and one that was replaced. */
const UNUSED_MS = 60_000;
/** A log to which nothing is appended. Its readers write it anew if it is gone. */
const KEPT_MS = 7 * DAY_MS;
/** The log of a history that a newer one has followed. */
const OLD_HISTORY_MS = HOUR_MS;

/** The log is not the one that was meant, or the buffer has other content: what was begun must begin anew. */
export class Conflict extends Error {}

interface Batch {
  readonly generation: string;
  /** Whether this log is not in use yet. */
  readonly isPrepared?: boolean;
  readonly writer: string;
  /** Whether to write although another replica has the lease. */
  readonly force: boolean;
  /** `items` are all that there are after this number, in order. */
  readonly after: number;
  readonly items: readonly HistoryItem[];
  /** Events that a buffer keeps of each category. The log keeps one more, which tells a restored buffer where its loss ends. */
  readonly capacity: number;
}

/** Gives `head`. The script ends if the log is not whole or of another generation. KEYS: `first` is before the streams. */
const OPEN_LOG = `
local head = redis.pcall('HMGET', KEYS[1], 'generation', 'top', 'newest', 'gaps', 'evicted',
  'n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7')
if head.err then return {'damaged', head.err} end
if head[1] ~= ARGV[1] then return {'replaced'} end
for i = 1, 7 do
  local length = redis.pcall('XLEN', KEYS[first + i])
  if type(length) == 'table' then return {'damaged', length.err} end
  if tostring(length) ~= head[5 + i] then
    return {'damaged', 'stream ' .. i .. ' has ' .. length .. ' entries instead of ' .. tostring(head[5 + i])}
  end
end
`;

export class LogStore {
  readonly digest: string;
  readonly #headKey: string;

  constructor(private readonly link: RedisLink, private readonly keys: Keys, readonly history: History) {
    this.digest = digestOf(history);
    this.#headKey = keys.history(this.digest);
  }

  /** Null: there is no log. Only the head is read, so damaged streams are not noticed. Throws DamagedLog. */
  async head(): Promise<LogHead | null> {
    return decodeHead(await this.#send("HMGET", [this.#headKey, ...HEAD_FIELDS]), this.history.epoch);
  }

  /** KEYS: head, streams. ARGV: generation, the fields to read. */
  static readonly #CHECK: Script = {
    name: "check the log",
    lua: `local first = 1${OPEN_LOG}return {'ok', redis.call('HMGET', KEYS[1], unpack(ARGV, 2))}`,
  };

  /**
   * The head, and the events after a number, in order, and whether these are all: others may be evicted. Throws Conflict,
   * DamagedLog.
   */
  async read(generation: string, after: number): Promise<{ head: LogHead; events: BufferedEvent[]; isWhole: boolean }> {
    const streams = this.#streams(generation);
    const [, fields] = await this.#run(LogStore.#CHECK, [this.#headKey, ...streams], [generation, ...HEAD_FIELDS]);
    const head = decodeHead(fields, this.history.epoch)!;
    const events = await Promise.all(
      EVENT_CATEGORIES.map((category, at) => this.#eventsOf(category, streams[at]!, after, head.top)),
    );
    const now = await this.head();
    if (now?.generation !== generation) throw new Conflict("the log was replaced");
    return { head, events: inOrder(events.flat()), isWhole: now.evicted <= after };
  }

  /** The whole log as the content of a buffer. Throws as `read` does. */
  async content(generation: string): Promise<EventContent> {
    const { head: { start, top, gaps, added }, events } = await this.read(generation, 0);
    const present = countsIn(events);
    const forgotten = countsOf((category) => added[category] - present[category]);
    return { epoch: this.history.epoch, start, top, gaps, events, forgotten };
  }

  /**
   * KEYS: head, lease, streams. ARGV: generation, writer, lease in milliseconds, 1 to write without the lease, the number after
   * which the batch begins, the length of a stream, lifetime in milliseconds; each item as `encodeBatch` gives it.
   * Result: top, newest, gaps, and 1 if the writer has the lease.
   */
  static readonly #APPEND: Script = {
    name: "append",
    lua: `local first = 2${OPEN_LOG}
local holder = redis.pcall('GET', KEYS[2])
local mine = not holder or type(holder) == 'table' or holder == ARGV[2]
if mine then redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3]) end
local top, newest, gaps, evicted, added = head[2], head[3], head[4], head[5], {}
if not tonumber(top) or not newest or not gaps or not tonumber(evicted) then return {'damaged', 'the head lacks a field'} end
if (mine or ARGV[4] == '1') and tonumber(top) >= tonumber(ARGV[5]) then
  for at = 8, #ARGV, 3 do
    local number, text, stream = ARGV[at], ARGV[at + 1], tonumber(ARGV[at + 2])
    if tonumber(number) > tonumber(top) then
      if stream == 0 then
        gaps = gaps .. string.format('%.0f', math.max(tonumber(text), top + 1)) .. '-' .. number .. ' '
      else
        local id = redis.pcall('XADD', KEYS[2 + stream], number .. '-0', 'e', text)
        if type(id) == 'table' and id.err then return {'damaged', id.err} end
        added[stream] = (added[stream] or 0) + 1
        newest = number
      end
      top = number
    end
  end
end
if top ~= head[2] then
  for stream, count in pairs(added) do
    local key, excess = KEYS[2 + stream], redis.call('XLEN', KEYS[2 + stream]) - ARGV[6]
    if excess > 0 then
      local last = string.match(redis.call('XRANGE', key, '-', '+', 'COUNT', excess)[excess][1], '^%d+')
      if tonumber(last) > tonumber(evicted) then evicted = last end
      redis.call('XTRIM', key, 'MAXLEN', '=', ARGV[6])
    end
    redis.call('HINCRBY', KEYS[1], 'a' .. stream, count)
    redis.call('HSET', KEYS[1], 'n' .. stream, redis.call('XLEN', key))
  end
  redis.call('HSET', KEYS[1], 'top', top, 'newest', newest, 'gaps', gaps, 'evicted', evicted)
  local all = redis.call('PTTL', KEYS[1]) < tonumber(ARGV[7]) / 2
  for i = 1, 9 do
    if i ~= 2 and (all or added[i - 2]) then redis.call('PEXPIRE', KEYS[i], ARGV[7]) end
  end
end
return {'ok', top, newest, gaps, mine and 1 or 0}
`,
  };

  /**
   * Appends what is above the top. Nothing is written without the lease, unless `force`, or if the log ends before `after`.
   * Throws Conflict, DamagedLog.
   */
  async append(
    { generation, isPrepared = false, writer, force, after, items, capacity }: Batch,
  ): Promise<LogPosition & { readonly hasLease: boolean }> {
    const head = isPrepared ? this.#preparedKey(generation) : this.#headKey;
    const lifetimeMs = isPrepared ? UNUSED_MS : KEPT_MS;
    for (let begin = 0, last = after;;) {
      const { end, entries } = encodeBatch(begin, items);
      const reply = await this.#run(LogStore.#APPEND, [
        head,
        this.keys.lease(this.digest),
        ...this.#streams(generation),
      ], [
        ...[generation, writer, String(LEASE_MS), force ? "1" : "0", String(last), String(capacity + 1)],
        ...[String(lifetimeMs), ...entries],
      ]);
      const position = decodePosition(reply[1], reply[2], reply[3]);
      last = end === 0 ? after : sequenceOf(items[end - 1]!);
      if (end === items.length || position.top < last) return { ...position, hasLease: reply[4] === 1 };
      begin = end;
    }
  }

  /** KEYS: head. ARGV: lifetime in milliseconds, fields and values. */
  static readonly #PREPARE: Script = {
    name: "prepare a log",
    lua: "redis.call('HSET', KEYS[1], unpack(ARGV, 2)) return {redis.call('PEXPIRE', KEYS[1], ARGV[1])}",
  };

  /** Begins a log that is not in use yet. It ends at its start, so everything of the content must be appended. */
  async prepare(generation: string, content: EventContent): Promise<void> {
    const { start, forgotten } = content;
    await this.#run(LogStore.#PREPARE, [this.#preparedKey(generation)], [
      ...[String(UNUSED_MS), "generation", generation, "start", String(start), "top", String(start)],
      ...["newest", "0", "gaps", "", "evicted", String(wholeAfter(content))],
      ...EVENT_CATEGORIES.flatMap((name, at) => [`a${at + 1}`, String(forgotten[name]), `n${at + 1}`, "0"]),
    ]);
  }

  /**
   * KEYS: head, head of the prepared log, its streams. ARGV: the generation to replace, an empty text if there must be
   * none, or `*` for any; lifetime in milliseconds. Result: `behind`, or `ok` and the generation that was replaced.
   */
  static readonly #REPLACE: Script = {
    name: "replace the log",
    lua: `
local old = redis.pcall('HMGET', KEYS[1], 'generation', 'newest')
if ARGV[1] ~= '*' then
  if old.err then return {'damaged', old.err} end
  if (old[1] or '') ~= ARGV[1] then return {'replaced'} end
  if (tonumber(old[2] or '') or 0) > tonumber(redis.call('HGET', KEYS[2], 'top')) then return {'behind'} end
end
redis.call('RENAME', KEYS[2], KEYS[1])
for i = 1, #KEYS do redis.call('PEXPIRE', KEYS[i], ARGV[2]) end
return {'ok', not old.err and old[1] or ''}
`,
  };

  /**
   * Puts a prepared log in use. `old`: the generation to replace; null if there must be none; `*` for any. False: the old log
   * has newer events. Throws Conflict if the log is not `old`.
   */
  async replace(generation: string, old: string | null): Promise<boolean> {
    const keys = [this.#headKey, this.#preparedKey(generation), ...this.#streams(generation)];
    const [kind, replaced] = await this.#run(LogStore.#REPLACE, keys, [old ?? "", String(KEPT_MS)]);
    if (kind === "behind") return false;
    if (typeof replaced === "string" && replaced !== "") await this.#expire(this.#streams(replaced), UNUSED_MS);
    return true;
  }

  /** Removes a log that was not put in use. */
  async discard(generation: string): Promise<void> {
    await this.#send("UNLINK", [this.#preparedKey(generation), ...this.#streams(generation)]);
  }

  /** Lets the log of an old history expire, unless a replica still writes it. */
  async expire(): Promise<void> {
    const head = await this.head();
    if (head !== null) await this.#expire([this.#headKey, ...this.#streams(head.generation)], OLD_HISTORY_MS);
  }

  async #expire(keys: readonly string[], afterMs: number): Promise<void> {
    await Promise.all(keys.map((key) => this.#send("PEXPIRE", [key, String(afterMs)])));
  }

  /** Newest first, in pages: what is evicted meanwhile is older than what was read. */
  async #eventsOf(category: EventCategory, stream: string, after: number, top: number): Promise<BufferedEvent[]> {
    const events: BufferedEvent[] = [];
    for (let end = `${top}-0`;;) {
      const page = await this.#send("XREVRANGE", [stream, end, `(${after}-0`, "COUNT", String(PAGE_EVENTS)]);
      if (!Array.isArray(page)) throw new DamagedLog(`the stream of ${category} can't be read`);
      for (const [id, fields] of page as [unknown, unknown][]) {
        events.push(decodeEvent(category, id, Array.isArray(fields) ? fields[1] : null));
      }
      if (page.length < PAGE_EVENTS) return events;
      end = `(${events.at(-1)!.sequence}-0`;
    }
  }

  #streams(generation: string): string[] {
    return EVENT_CATEGORIES.map((category) => this.keys.stream(`${this.digest}.${generation}`, category));
  }

  #preparedKey(generation: string): string {
    return this.keys.history(`${this.digest}.${generation}`);
  }

  async #run(script: Script, keys: readonly string[], args: readonly string[]): Promise<readonly unknown[]> {
    const reply = await this.link.run(script, keys, args).catch(throwDamage) as readonly unknown[];
    if (reply[0] === "damaged") throw new DamagedLog(String(reply[1]));
    if (reply[0] === "replaced") throw new Conflict("the log was replaced");
    return reply;
  }

  #send(command: string, args: readonly string[]): Promise<unknown> {
    return this.link.send(command, args).catch(throwDamage);
  }
}
