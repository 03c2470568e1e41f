// The past is what the audit tool gives: each event of a range once, newest first, wherever the range lies in the trail, and
// nothing that the acting user may not read.

import { beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { auditId } from "../../../common/audit/audit-id.ts";
import { past } from "../../../plugins/dashboard/past-search.ts";
import { MAX_PAGE, Trail } from "../../../plugins/dashboard/past-trail.ts";
import { marketDefinition } from "../../../engine/definition/market-definition.ts";
import type { RouteContext, RouteRequest } from "../../../core/routes/route.ts";
import type { AuditEvent, AuditPage } from "../../../protocol/index.ts";
import type { Past, PastDay } from "../../../web/contract/past.ts";
import { MarketInProcess, NOW } from "../../core/support/market-in-process.ts";
import { size } from "../../support/sizes.ts";
import { Desk, text } from "../support/desk.ts";
import { BASE, MARKET, PEAK, SECRET } from "../support/market.ts";
import { DashboardServer, type Failed } from "./support/dashboard-server.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let market: MarketInProcess;
let server: DashboardServer;
/** All of the trail, oldest first. */
let trail: AuditEvent[];

const iso = (at: number) => new Date(at).toISOString();

async function wholeTrail(): Promise<AuditEvent[]> {
  const events: AuditEvent[] = [];
  let cursor: string | null = null;
  do {
    const page: AuditPage = await market.services.audit.query({
      from: "2030-01-01",
      to: "2030-12-31",
      limit: 200,
      ...(cursor !== null && { cursor }),
    });
    events.push(...page.events);
    cursor = page.cursor;
  } while (cursor !== null);
  return events.reverse();
}

function order(userId: string, contractId: string, side: 0 | 1, price: number): void {
  market.execute(userId, "order.submit", { contractId, side, price, quantity: 5 });
}

// 20 hours with an order each minute, over a midnight of UTC; a halt, whose orders wait, and their release; and a burst.
beforeAll(async () => {
  market = new MarketInProcess(MARKET, SECRET, 200, true);
  await market.connect("olga");
  server = new DashboardServer(market);
  for (let minute = 0; minute < 1_200; minute++) {
    order(
      minute % 3 === 0 ? "bob" : "alice",
      minute % 2 === 0 ? BASE : PEAK,
      minute % 3 === 0 ? 1 : 0,
      1_000 + minute % 50 * 10,
    );
    if (minute === 300) market.execute("olga", "market.halt", { marketId: "power", reason: "a test" });
    if (minute === 310) market.execute("olga", "market.resume", { marketId: "power" });
    if (minute === 900) { for (let index = 0; index < 300; index++) order("greta", BASE, 0, 100 + index); }
    market.pass(MINUTE_MS);
  }
  trail = await wholeTrail();
});

/** All answers to one search. */
async function search(parameters: Readonly<Record<string, string>>): Promise<{ ids: string[]; answers: number }> {
  const ids: string[] = [];
  let answers = 0;
  for (let cursor: string | null = ""; cursor !== null;) {
    const query = new URLSearchParams({ ...parameters, ...(cursor !== "" && { cursor }) });
    const { status, body } = await server.get<Past>(`/dashboard/past?${query}`);
    expect(status).toBe(200);
    expect(body.searchedTo === null).toBe(body.cursor === null);
    ids.push(...body.events.map(({ id }) => id));
    cursor = body.cursor;
    answers += 1;
  }
  return { ids, answers };
}

function inRange(from: number, to: number): AuditEvent[] {
  return trail.filter(({ time }) => Date.parse(time) >= from && Date.parse(time) < to).reverse();
}

test("a range has each of its events once, newest first, wherever it lies", async () => {
  const [first, last] = [Date.parse(trail[0]!.time), Date.parse(trail.at(-1)!.time)];
  const at = fc.integer({ min: first - HOUR_MS, max: last + HOUR_MS });
  const length = fc.constantFrom(1, MINUTE_MS, HOUR_MS, 24 * HOUR_MS);
  await fc.assert(
    fc.asyncProperty(at, length, async (from, length) => {
      const { ids } = await search({ from: iso(from), to: iso(from + length) });
      expect(ids).toEqual(inRange(from, from + length).map(({ id }) => id));
    }),
    { numRuns: size(12, 300) },
  );
});

test.each([
  [{ type: "orderReleased" }, ({ event }: AuditEvent) => event === "orderReleased"],
  [
    { entity: "beta" },
    ({ entityId, details }: AuditEvent) => entityId === "beta" || details["counterpartyId"] === "beta",
  ],
  [{ user: "greta" }, ({ userId }: AuditEvent) => userId === "greta"],
  [
    { contract: PEAK, user: "bob" },
    ({ userId, details }: AuditEvent) => userId === "bob" && details["contractId"] === PEAK,
  ],
])("%p finds what fits, and only that", async (filters, fits) => {
  const [from, to] = [NOW + HOUR_MS, NOW + 19 * HOUR_MS];
  const expected = inRange(from, to).filter(fits);
  expect(expected.length).toBeGreaterThan(5);
  expect((await search({ from: iso(from), to: iso(to), ...filters })).ids).toEqual(expected.map(({ id }) => id));
});

test("a jump into the trail reads few events in vain", async () => {
  const from = NOW + 2 * HOUR_MS;
  const { answers, ids } = await search({ from: iso(from), to: iso(from + MINUTE_MS) });
  expect([answers, ids.length > 0]).toEqual([1, true]);
});

test("a day has its halt, its releases, how dense its events were, and from when on there are records", async () => {
  const { status, body } = await server.get<PastDay>(
    `/dashboard/past/day?from=${iso(NOW)}&to=${iso(NOW + 24 * HOUR_MS)}`,
  );
  expect([status, body.isCut, body.oldest]).toEqual([200, false, trail[0]!.time]);
  expect(body.changes.map(({ event, time }) => `${event} ${time}`)).toEqual([
    `marketHalted ${iso(NOW + 300 * MINUTE_MS)}`,
    `marketResumed ${iso(NOW + 310 * MINUTE_MS)}`,
  ]);
  const released = trail.filter(({ event }) => event === "orderReleased").length;
  expect([released > 0, body.releases]).toEqual([
    true,
    [{ from: iso(NOW + 310 * MINUTE_MS), to: iso(NOW + 310 * MINUTE_MS), count: released }],
  ]);
  // Each count is that of the events after its begin, up to its end.
  const activity = body.activity!;
  expect(activity.length).toBeGreaterThan(30);
  for (const { from, to, count } of activity) {
    const [begin, end] = [Date.parse(from), Date.parse(to)];
    const after = trail.filter(({ time }) => Date.parse(time) > begin && Date.parse(time) <= end).length;
    const about = trail.filter(({ time }) => Date.parse(time) >= begin && Date.parse(time) <= end).length;
    expect([count <= about, count >= after - 400]).toEqual([true, true]);
  }
});

test.each([
  "",
  "from=2030-06-01T00:00:00Z",
  "from=2030-06-01T00:00:00Z&to=2030-06-01T00:00:00Z",
  "from=yesterday&to=2030-06-01T00:00:00Z",
  `from=2030-06-01T00:00:00Z&to=2030-06-02T00:00:00Z&user=${"x".repeat(201)}`,
])("refuses the search %p", async (query) => {
  const { status, body } = await server.get<Failed>(`/dashboard/past?${query}`);
  expect([status, body.error.code]).toEqual([400, "invalid_input"]);
});

test("refuses a day of more than 49 hours", async () => {
  const { status } = await server.get<Failed>(`/dashboard/past/day?from=${iso(NOW)}&to=${iso(NOW + 50 * HOUR_MS)}`);
  expect(status).toBe(400);
});

describe("with an engine that has users", () => {
  const DEFINITION = marketDefinition.parse({
    ...MARKET,
    users: [...MARKET.users, {
      id: "eve",
      name: "Eve",
      entityId: "gamma",
      permissions: ["Order.Submit", "Credit.View"],
    }],
  });

  async function pastOf(desk: Desk, userId: string): Promise<string> {
    const seat = await desk.connected(userId);
    const callTool: RouteContext["callTool"] = async (name, given) => {
      const { isError, value } = await seat.call(name, given as Record<string, unknown>);
      return { kind: "result", isError, result: value };
    };
    const [from, to] = [iso(Date.now() - HOUR_MS), iso(Date.now() + HOUR_MS)];
    const url = new URL(`http://localhost/dashboard/past?from=${from}&to=${to}`);
    return await (await past({ url } as RouteRequest, { callTool } as RouteContext)).text();
  }

  test("a viewer sees no credit of others, and who may not see others' orders sees none", async () => {
    const desk = await Desk.open(DEFINITION);
    const alice = await desk.connected("alice");
    const orderId = text(await alice.buy(BASE, 4_200, 3), "orderId");
    const limit = { limitType: "mw", scope: "total", limit: 4_321 };
    await alice.ok("mkt_set_credit_limit", { ...limit, entityId: "alpha", counterpartyId: "gamma" });
    const secrets = async (userId: string) => {
      const shown = await pastOf(desk, userId);
      return [orderId, "4321"].filter((secret) => shown.includes(secret));
    };
    expect([await secrets("olga"), await secrets("alice")]).toEqual([[orderId, "4321"], [orderId, "4321"]]);
    expect(await secrets("bob")).toEqual([orderId]);
    await expect(pastOf(desk, "eve")).rejects.toMatchObject({ code: "forbidden" });
  });
});

test("a trail of few events tells its oldest one", async () => {
  const few = new MarketInProcess(MARKET, SECRET, 200, true);
  await few.connect("olga");
  for (const price of [1_000, 1_010, 1_020]) {
    few.execute("alice", "order.submit", { contractId: BASE, side: 0, price, quantity: 5 });
  }
  const day = `/dashboard/past/day?from=${iso(NOW)}&to=${iso(NOW + HOUR_MS)}`;
  const { status, body } = await new DashboardServer(few).get<PastDay>(day);
  expect([status, body.oldest]).toEqual([200, iso(NOW)]);
});

describe("a trail that forgets its oldest events while they are looked for", () => {
  const DAY = Date.parse("2030-06-02");
  const events = Array.from(
    { length: 1_400 },
    (_, at) => ({ id: auditId(1, at + 1), time: iso(DAY + at * MINUTE_MS) }),
  );

  /** So many reads of the oldest events come too late. */
  function forgetting(reads: number): { readonly trail: Trail; readonly oldest: () => string } {
    let [first, left] = [0, reads];
    const callTool: RouteContext["callTool"] = (_, given) => {
      const { startTime, endTime, limit, cursor } = given as Record<string, string> & { limit: number };
      if (limit === MAX_PAGE && left-- > 0) first += MAX_PAGE;
      const found = events.slice(first).reverse().filter(({ id, time }) => {
        const day = time.slice(0, 10);
        return day >= startTime! && day <= endTime! && (cursor === undefined || id < cursor);
      });
      const page = { events: found.slice(0, limit), cursor: found[limit - 1]?.id ?? null };
      return Promise.resolve({ kind: "result", isError: false, result: page });
    };
    return { trail: new Trail(callTool), oldest: () => events[first]!.time };
  }

  test("is looked at again, and tells the oldest one that is left", async () => {
    for (const reads of [0, 1, 3]) {
      const { trail, oldest } = forgetting(reads);
      expect([await trail.wholeSince(), await trail.oldest()]).toEqual([oldest(), oldest()]);
    }
  });

  test("is whole from a later time on, if it is never found, and its day is told", async () => {
    expect(await forgetting(5).trail.wholeSince()).toBe(events.at(-1)!.time);
    expect(await forgetting(5).trail.oldest()).toBe(iso(DAY));
  });
});
