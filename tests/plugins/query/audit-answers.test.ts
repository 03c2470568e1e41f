// What the audit tools ask of the trail, and what they say if it has nothing: without a backend, so that each case can be made.

import { describe, expect, test } from "bun:test";
import type { ToolContext } from "../../../core/tools/context.ts";
import { NEUTRAL_ADVICE } from "../../../core/advice.ts";
import audit from "../../../plugins/query/audit.ts";
import { emptyHistory } from "../../../plugins/query/order-history.ts";
import { ownSignal } from "../../support/own-signal.ts";
import { snapshotOf } from "../support/still-market.ts";

const NOW = Date.parse("2030-06-10T12:00:00Z");
const [getAuditLog, getOrderEvents] = audit;
const RANGE = { from: "2030-06-04", to: "2030-06-10" };

interface Given {
  readonly events?: object[];
  readonly hasMore?: boolean;
  /** Answers of the trail to further questions. */
  readonly more?: object[];
  readonly permissions?: string[] | null;
  readonly incomplete?: boolean;
  readonly orders?: Record<string, Record<string, unknown>>;
}

function contextOf(
  { events = [], hasMore = false, more = [], permissions = ["Market.View"], incomplete = false, orders = {} }: Given,
) {
  const asked: unknown[][] = [];
  const signal = ownSignal();
  const answers = [events, more];
  const page = () => ({ events: answers.shift() ?? [], hasMore, cursor: hasMore ? "next" : null, range: RANGE });
  const trail = (name: string) => (...all: unknown[]) => (asked.push([name, ...all]), Promise.resolve(page()));
  const context = {
    signal,
    snapshot: snapshotOf(orders),
    advice: NEUTRAL_ADVICE,
    audit: { query: trail("query"), orderEvents: trail("orderEvents") },
    configuration: { audit: { store: "backend" }, backend: { userId: "u" } },
    pubsub: {
      incomplete,
      marketTime: () => NOW,
      session: permissions === null ? null : { userId: "u", entityId: "A", capabilities: permissions },
    },
    backend: { health: () => Promise.resolve({ marketTime: null }) },
  } as unknown as ToolContext;
  return { context, asked, signal };
}

describe("the audit log", () => {
  const log = async (input: object, given: Given = {}) => {
    const { context, asked, signal } = contextOf(given);
    const result = await getAuditLog!.handler({ limit: 50, ...input } as never, context) as Record<string, unknown>;
    return { result, asked, signal };
  };

  test("searches a week up to now, or the given days, with every filter, for as long as the caller waits", async () => {
    const { asked, signal } = await log({});
    expect(asked).toEqual([["query", { limit: 50, ...RANGE }, undefined, signal]]);
    const given = { moduleType: "ORDER", moduleId: "1", event: "orderQueued", search: "x", cursor: "c", limit: 9 };
    const named = await log({ ...given, startTime: "2030-06-01", endTime: "2030-06-02" });
    expect(named.asked[0]!.slice(0, 2)).toEqual(["query", { ...given, from: "2030-06-01", to: "2030-06-02" }]);
  });

  test("says that nothing fits on its first page alone, if there is no more to search", async () => {
    const note = async (input: object, given: Given = {}) => (await log(input, given)).result["note"];
    expect(await note({})).toContain("No event from 2030-06-04 to 2030-06-10 fits.");
    expect(await note({ cursor: "c" })).toBeUndefined();
    expect(await note({}, { hasMore: true })).toBeUndefined();
    expect(await note({ moduleId: "refused:u:1" })).toContain("Give the name of a refused order as search.");
    expect(await note({ moduleId: "7" }, { orders: { "/ORDER/ORD-7": {} } })).toContain("Did you mean ORD-7?");
    expect(await note({ moduleId: "ORD-7" }, { orders: { "/ORDER/ORD-7": {} } })).not.toContain("Did you mean");
  });
});

describe("the history of an order", () => {
  const history = async (input: object, given: Given = {}) => {
    const { context, asked, signal } = contextOf(given);
    const result = await getOrderEvents!.handler({ orderId: "ORD-7", ...input } as never, context) as Record<
      string,
      unknown
    >;
    return { result, asked, signal };
  };
  const KNOWN = { "/ORDER/ORD-7": { createdAt: "2030-06-10T11:00:00.000Z" } };

  test("is asked for by day and cursor, 50 events a page, for as long as the caller waits", async () => {
    const event = { time: "t", event: "orderQueued", details: {} };
    const { asked, signal, result } = await history({ date: "today", cursor: "c" }, { events: [event], hasMore: true });
    expect(asked).toEqual([["orderEvents", "ORD-7", { date: "2030-06-10", cursor: "c", limit: 50 }, signal]]);
    expect(result).toMatchObject({ orderId: "ORD-7", count: 1, hasMore: true, cursor: "next", range: RANGE });
  });

  test("says that nothing was found on its first page alone, if there is no more to search", async () => {
    expect((await history({}, { orders: KNOWN })).result["note"]).toContain('Order "ORD-7" has no event from');
    expect((await history({ cursor: "c" }, { orders: KNOWN })).result).not.toHaveProperty("note");
    expect((await history({}, { orders: KNOWN, hasMore: true })).result).not.toHaveProperty("note");
  });
});

describe("an order without an event", () => {
  const said = async (given: Given, date?: string, range = RANGE, orderId = "ORD-7") => {
    const { context, asked, signal } = contextOf(given);
    try {
      return { note: await emptyHistory({ orderId, date, range }, context), asked, signal };
    } catch (error) {
      return { error: error as { code: string; hint: string }, asked, signal };
    }
  };
  const createdAt = (day: string) => ({ orders: { "/ORDER/ORD-7": { createdAt: `${day}T11:00:00.000Z` } } });
  const day = { from: "2030-06-09", to: "2030-06-09" };

  test("on a day names the day of its newest event, if it has one", async () => {
    const { note, asked, signal } = await said({ events: [{ time: "2030-05-01" }] }, "2030-06-09", day);
    expect(note).toBe('Order "ORD-7" has no event on 2030-06-09. Its newest event is of 2030-05-01.');
    expect(asked).toEqual([["orderEvents", "ORD-7", { limit: 1 }, signal]]);
    expect((await said(createdAt("2030-06-09"), "2030-06-09", day)).note).toContain("It was created at 2030-06-09");
    expect((await said(createdAt("2030-06-09"))).asked).toEqual([]);
  });

  test.each([
    ["2030-06-03", "give that day as date."],
    ["2030-06-04", "Call again later."],
    ["2030-06-10", "Call again later."],
    ["2030-06-11", "give that day as date."],
  ])("that was created on %s: %s", async (created, advice) => {
    expect((await said(createdAt(created))).note).toEndWith(advice);
  });

  test("that is unknown may be one that this user does not see, or that has not come yet", async () => {
    for (const given of [{ permissions: null }, { permissions: [] }, { incomplete: true }]) {
      expect((await said(given)).note).toContain("To check the id, call mkt_connect_pubsub");
    }
  });

  test("that the market lacks is refused, with the order that was meant: known, or refused under this id of the caller's", async () => {
    const unknown = await said({ orders: { "/ORDER/ORD-8": {} } }, undefined, RANGE, "order 8");
    expect([unknown.error?.code, unknown.error?.hint]).toEqual([
      "not_found",
      expect.stringContaining("Did you mean ORD-8?"),
    ]);
    expect(unknown.asked).toEqual([]);
    const events = [{ orderId: "refused:u:my-1-b" }, {}, { orderId: "refused:u:my-1" }, { orderId: "refused:v:my-1" }];
    const refused = await said({ events }, undefined, RANGE, "my-1");
    expect(refused.error?.hint).toStartWith("Did you mean refused:u:my-1? ");
    const query = { ...RANGE, event: "orderRejected", search: "my-1", limit: 50 };
    expect(refused.asked).toEqual([["query", query, undefined, refused.signal]]);
    expect((await said({}, undefined, RANGE, "my-1")).error?.hint).toStartWith("For an older order");
  });
});
