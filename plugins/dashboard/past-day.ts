// GET /dashboard/past/day (web/contract/past.ts): what stands out in a day of the market.

import { dayOf } from "../../common/audit/audit-search.ts";
import { ToolError } from "../../core/error.ts";
import type { RouteContext, RouteRequest } from "../../core/routes/route.ts";
import { DAY_MS, HOUR_MS } from "../../protocol/time-units.ts";
import type { PastCount, PastDay, PastEvent } from "../../web/contract/past.ts";
import { jsonAnswer } from "./json-answer.ts";
import { rangeOf } from "./past-range.ts";
import { Trail } from "./past-trail.ts";

/** A day when clocks are set back has 25 hours. */
const MAX_HOURS = 49;
/** Of 200 events each, of one type. */
const MAX_CALLS = 3;
/** Spans of activity for each UTC day. */
const SPANS = 32;

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Throws ToolError `invalid_input`, and what the tool throws. */
export async function pastDay({ url }: RouteRequest, { callTool }: RouteContext): Promise<Response> {
  const range = rangeOf(url.searchParams);
  if (range.to - range.from > MAX_HOURS * HOUR_MS) {
    throw new ToolError("invalid_input", `The range is longer than ${MAX_HOURS} hours.`, "Ask for one day.");
  }
  const trail = new Trail(callTool);
  const [changes, releases, activity, oldest] = await Promise.all([
    eventsIn(range, { moduleType: "MARKET" }, trail),
    eventsIn(range, { event: "orderReleased" }, trail),
    activityIn(range, trail),
    trail.oldest(),
  ]);
  const answer: PastDay = {
    changes: changes.events.toReversed(),
    releases: atOnce(releases.events.toReversed()),
    activity,
    isCut: changes.isCut || releases.isCut,
    oldest,
  };
  return jsonAnswer(answer);
}

type Filter = { readonly moduleType: string } | { readonly event: string };

/** Newest first. */
async function eventsIn(range: Range, filter: Filter, trail: Trail) {
  const { from, to } = range;
  const events: PastEvent[] = [];
  let cursor: string | null = null;
  for (let calls = 0; calls < MAX_CALLS; calls++) {
    const page = await trail.page({ ...filter, from: dayOf(from), to: dayOf(to - 1), cursor });
    const times = page.events.map(({ time }) => Date.parse(time));
    events.push(...page.events.filter((_, index) => times[index]! >= from && times[index]! < to));
    cursor = page.cursor;
    if (cursor === null || (times.at(-1) ?? Infinity) < from) return { events, isCut: false };
  }
  return { events, isCut: true };
}

/** Events of the same time as one. */
function atOnce(events: readonly PastEvent[]): PastCount[] {
  return [...Map.groupBy(events, ({ time }) => time)].map(([time, same]) => ({
    from: time,
    to: time,
    count: same.length,
  }));
}

async function activityIn({ from, to }: Range, trail: Trail): Promise<PastCount[] | null> {
  const counts: PastCount[] = [];
  for (let start = from; start < to;) {
    const end = Math.min(to, start - start % DAY_MS + DAY_MS);
    const samples = await trail.samples(start, end, SPANS);
    if (samples === null) return null;
    for (const [index, { number, time }] of samples.entries()) {
      const before = samples[index - 1];
      if (before === undefined) continue;
      const [from, to] = [before.time, time].map((time) => new Date(time).toISOString());
      counts.push({ from: from!, to: to!, count: number - before.number });
    }
    start = end;
  }
  return counts;
}
