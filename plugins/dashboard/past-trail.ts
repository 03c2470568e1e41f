// The audit trail as the pages of the past read it: through the tool mkt_get_audit_log, so with its checks and its call log.
//
// The tool reads whole UTC days, newest first. To enter a day at a time, `cursorBefore` makes cursors of its own: both of our
// stores end a cursor with the id of an event (common/audit/audit-id.ts), and ids have running numbers. So it halves the
// numbers of the day until fewer than NEAR are left. Another engine may have other cursors: then a day is read from its end.
//
// Cost: log2(events of the day / NEAR) calls with a limit of one event, at most some 16 for our engine's greatest trail.

import { auditId, epochOf, isAuditId, numberOf } from "../../common/audit/audit-id.ts";
import { dayOf } from "../../common/audit/audit-search.ts";
import { type ErrorReport, ToolError } from "../../core/error.ts";
import type { RouteContext } from "../../core/routes/route.ts";
import { DAY_MS } from "../../protocol/time-units.ts";
import type { PastEvent } from "../../web/contract/past.ts";

/** The most that the tool gives at once. */
export const MAX_PAGE = 200;
/** Events that may be read in vain after a jump. */
const NEAR = 150;
/** To find the oldest event. */
const MAX_TRIES = 5;
const BEFORE_ALL = "1970-01-01";
const AFTER_ALL = "9999-12-31";
/** An event's id at the end of a cursor. */
const CURSOR = /^(.*?)(\d{16}-\d{12})$/;

interface TrailQuery {
  /** UTC days, both included; absent: the first and the last day of all. */
  readonly from?: string;
  readonly to?: string;
  readonly limit?: number;
  readonly cursor?: string | null;
  readonly event?: string;
  readonly moduleType?: string;
  readonly search?: string;
}

interface TrailPage {
  readonly events: readonly PastEvent[];
  readonly cursor: string | null;
}

/** The point at which the events of a UTC day pass a time. Numbers are those of ids. */
interface Place {
  /** Events up to this number are before the time. */
  readonly before: number;
  /** An event that is not, at most NEAR numbers later. */
  readonly number: number;
  /** For the events before a number. Null: all of the day, which are read without a cursor. */
  readonly cursorAt: (number: number) => string | null;
}

/** One of the events of a span, by its number. */
interface Sample {
  readonly number: number;
  /** Milliseconds. */
  readonly time: number;
}

export class Trail {
  constructor(private readonly callTool: RouteContext["callTool"]) {}

  /** Throws ToolError as the tool does. */
  async page(
    { from = BEFORE_ALL, to = AFTER_ALL, limit = MAX_PAGE, cursor, ...filters }: TrailQuery,
  ): Promise<TrailPage> {
    const reply = await this.callTool("mkt_get_audit_log", {
      ...filters,
      startTime: from,
      endTime: to,
      limit,
      detail: "full",
      ...(typeof cursor === "string" && { cursor }),
    });
    if (reply.kind === "question") throw new ToolError("forbidden", reply.question, "Ask a person who may agree.");
    if (reply.isError) {
      const { code, message, hint } = reply.result["error"] as ErrorReport;
      throw new ToolError(code, message, hint);
    }
    return reply.result as unknown as TrailPage;
  }

  /** A cursor for the events before `time` (milliseconds), after at most NEAR others. Null: read the day without one. */
  async cursorBefore(time: number): Promise<string | null> {
    const place = await this.#placeOf(dayOf(time - 1), time);
    return typeof place === "string" ? null : place.cursorAt(place.number);
  }

  /**
   * Events at equal numbers of events apart, some `steps` of them, oldest first, of the part of a UTC day from `from` on and
   * before `to` (milliseconds). Null: the trail can't be entered at a time.
   */
  async samples(from: number, to: number, steps: number): Promise<Sample[] | null> {
    const day = dayOf(from);
    const place = await this.#placeOf(day, from);
    if (place === "all before") return [];
    if (place === "unknown cursors") return null;
    const newest = await this.#newestBefore(day, to);
    if (newest === undefined || newest.time < from) return [];
    const step = Math.max(1, Math.ceil((newest.number - place.before) / steps));
    const samples: Sample[] = [];
    for (let number = place.before + 1; number < newest.number; number += step) {
      const { events: [event] } = await this.page({ from: day, to: day, limit: 1, cursor: place.cursorAt(number + 1) });
      const time = event === undefined ? from : Math.max(from, Date.parse(event.time));
      samples.push({ number, time });
    }
    return [...samples, newest];
  }

  /** Time of the oldest event that the acting user may read; its day, if that can't be entered. Null: there is none. */
  async oldest(): Promise<string | null> {
    const found = await this.#oldest();
    return found === null ? null : found.time ?? startOf(found.day);
  }

  /** The same, but a later time if that day can't be entered: from then on no event is missing. */
  async wholeSince(): Promise<string | null> {
    const found = await this.#oldest();
    if (found === null) return null;
    const { time, day, newest } = found;
    const next = startOf(dayOf(Date.parse(day) + DAY_MS));
    return time ?? (next < newest ? next : newest);
  }

  /** The day and the time of the oldest event, and the time of the newest. A null `time`: the day can't be entered. */
  async #oldest(): Promise<{ readonly day: string; readonly time: string | null; readonly newest: string } | null> {
    for (let tries = 1;; tries++) {
      const { events: [newest] } = await this.page({ limit: 1 });
      if (newest === undefined) return null;
      const day = await this.#oldestDay(newest);
      const place = await this.#placeOf(day, Date.parse(day));
      const found = { day, newest: newest.time };
      if (typeof place === "string") return { ...found, time: null };
      const { events } = await this.page({ from: day, to: day, cursor: place.cursorAt(place.number + 1) });
      const time = events.at(-1)?.time ?? null;
      // A trail that is full forgets its oldest events, perhaps while they are looked for.
      if (time !== null || tries === MAX_TRIES) return { ...found, time };
    }
  }

  /** The first day with an event: goes back by ever more days, then halves. */
  async #oldestDay(newest: PastEvent): Promise<string> {
    const numberOfDay = ({ time }: PastEvent) => Math.floor(Date.parse(time) / DAY_MS);
    let found = numberOfDay(newest);
    let empty = -1;
    for (let step = 1; found - empty > 1; step *= 2) {
      const tried = empty === -1 ? Math.max(0, found - step) : Math.floor((found + empty) / 2);
      const { events: [event] } = await this.page({ to: dayOf(tried * DAY_MS), limit: 1 });
      if (event === undefined) empty = tried;
      else found = numberOfDay(event);
    }
    return dayOf(found * DAY_MS);
  }

  async #newestBefore(day: string, time: number): Promise<Sample | undefined> {
    const { events } = await this.page({ from: day, to: day, cursor: await this.cursorBefore(time) });
    const newest = events.find((event) => Date.parse(event.time) < time);
    return newest === undefined ? undefined : { number: numberOf(newest.id), time: Date.parse(newest.time) };
  }

  async #placeOf(day: string, time: number): Promise<Place | "all before" | "unknown cursors"> {
    const { events: [newest], cursor } = await this.page({ from: day, to: day, limit: 1 });
    if (newest === undefined || Date.parse(newest.time) < time) return "all before";
    if (!isAuditId(newest.id)) return "unknown cursors";
    const number = numberOf(newest.id);
    if (cursor === null) return { before: number - 1, number, cursorAt: () => null };
    const [, prefix, id] = CURSOR.exec(cursor) ?? [];
    if (prefix === undefined || id === undefined) return "unknown cursors";
    const cursorAt = (at: number) => at > number ? null : prefix + auditId(epochOf(id), at);
    try {
      return await this.#narrowed(number, day, time, cursorAt);
    } catch (error) {
      // The data of an engine was restored on this day: its ids have two epochs.
      if (error instanceof ToolError && error.code === "invalid_input") return "unknown cursors";
      throw error;
    }
  }

  async #narrowed(newest: number, day: string, time: number, cursorAt: Place["cursorAt"]): Promise<Place> {
    const { events: [earlier] } = await this.page({ to: dayOf(Date.parse(day) - 1), limit: 1 });
    let before = earlier === undefined ? 0 : numberOf(earlier.id);
    let number = newest;
    while (number - before > NEAR) {
      const middle = Math.floor((before + number) / 2);
      const { events: [found] } = await this.page({ from: day, to: day, limit: 1, cursor: cursorAt(middle) });
      if (found === undefined || Date.parse(found.time) < time) before = middle - 1;
      else number = numberOf(found.id);
    }
    return { before, number, cursorAt };
  }
}

function startOf(day: string): string {
  return `${day}T00:00:00.000Z`;
}
