// GET /dashboard/past (web/contract/past.ts): searches a range of the audit trail.
//
// The tool finds a type by an index, and one text in ids and details; what else is asked for is compared here. A search ends
// after MAX_PAGES pages, each of which takes two calls of the tool, and the next one goes on from there.

import { dayOf } from "../../common/audit/audit-search.ts";
import { ToolError } from "../../core/error.ts";
import type { RouteContext, RouteRequest } from "../../core/routes/route.ts";
import { MAX_ID_LENGTH } from "../../protocol/limits.ts";
import type { Past, PastEvent } from "../../web/contract/past.ts";
import { jsonAnswer } from "./json-answer.ts";
import { MAX_PAGE, Trail } from "./past-trail.ts";
import { rangeOf } from "./past-range.ts";

const MAX_PAGES = 5;
const MAX_CURSOR = 2_000;

interface Search {
  /** Milliseconds. */
  readonly from: number;
  readonly to: number;
  readonly type: string | null;
  readonly entity: string | null;
  readonly user: string | null;
  readonly contract: string | null;
  readonly cursor: string | null;
}

/** Throws ToolError `invalid_input`, and what the tool throws. */
export async function past({ url }: RouteRequest, { callTool }: RouteContext): Promise<Response> {
  return jsonAnswer(await found(searchOf(url.searchParams), new Trail(callTool)));
}

async function found(search: Search, trail: Trail): Promise<Past> {
  const { from, to } = search;
  const days = { from: dayOf(from), to: dayOf(to - 1) };
  const text = search.user ?? search.contract ?? search.entity;
  const filters = { ...(search.type !== null && { event: search.type }), ...(text !== null && { search: text }) };
  const events: PastEvent[] = [];
  let cursor = search.cursor ?? await trail.cursorBefore(to);
  for (let pages = 0;;) {
    const page = await trail.page({ ...days, ...filters, cursor });
    events.push(...page.events.filter((event) => isInRange(event, search) && fits(event, search)));
    cursor = page.cursor;
    // A search for a text has often come further than to its last find.
    const next = cursor === null ? undefined : (await trail.page({ ...days, limit: 1, cursor })).events[0];
    if (next === undefined || Date.parse(next.time) < from) return { events, cursor: null, searchedTo: null };
    if (++pages === MAX_PAGES || events.length >= MAX_PAGE) return { events, cursor, searchedTo: next.time };
  }
}

function isInRange({ time }: PastEvent, { from, to }: Search): boolean {
  const at = Date.parse(time);
  return at >= from && at < to;
}

function fits(event: PastEvent, { entity, user, contract }: Search): boolean {
  const { details } = event;
  return (user === null || event.userId === user) &&
    (entity === null || event.entityId === entity || details["counterpartyId"] === entity) &&
    (contract === null || details["contractId"] === contract || event.moduleId === contract);
}

function searchOf(parameters: URLSearchParams): Search {
  const given = (name: string, longest = MAX_ID_LENGTH) => textOf(parameters, name, longest);
  return {
    ...rangeOf(parameters),
    type: given("type"),
    entity: given("entity"),
    user: given("user"),
    contract: given("contract"),
    cursor: given("cursor", MAX_CURSOR),
  };
}

/** Null if it is absent or empty. */
function textOf(parameters: URLSearchParams, name: string, longest: number): string | null {
  const text = parameters.get(name) ?? "";
  if (text.length <= longest) return text === "" ? null : text;
  throw new ToolError(
    "invalid_input",
    `${name} is longer than ${longest} characters.`,
    "Give an id as the market has it.",
  );
}
