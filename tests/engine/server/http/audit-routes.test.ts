// Many searches of the audit trail at once.

import { expect, test } from "bun:test";
import { AuditSearches } from "../../../../common/audit/audit-searches.ts";
import { SqliteAuditStore } from "../../../../engine/audit/sqlite-audit-store.ts";
import { ACTING_USER_HEADER, auditResponse, errorResponse, PATHS } from "../../../../protocol/index.ts";
import { replaced } from "../../../support/replaced.ts";
import { until } from "../../../support/until.ts";
import { OPERATOR, serveTestEngine, VIEWER } from "../harness.ts";

const AT_ONCE = 4;
const OF_USER = 24;

/** An engine with an audit trail whose searches wait until they are released. */
function heldEngine() {
  const audit = SqliteAuditStore.inMemory({ now: Date.now });
  const query = audit.query.bind(audit);
  const released = Promise.withResolvers<void>();
  const running = new Set<AbortSignal>();
  audit.query = async (asked, viewer, signal) => {
    if (signal === undefined) throw new Error("a search can't be cancelled");
    running.add(signal);
    signal.addEventListener("abort", () => running.delete(signal));
    await released.promise;
    running.delete(signal);
    return await query(asked, viewer, signal);
  };
  const engine = serveTestEngine({ audit });
  const path = `${PATHS.audit}?from=2026-01-01&to=2999-01-01`;
  const ask = (userId: string, signal?: AbortSignal) =>
    fetch(`${engine.url}${path}`, { headers: { [ACTING_USER_HEADER]: userId }, ...(signal && { signal }) });
  return { ask, release: released.resolve, running };
}

test("of many searches at once a few run, some wait, and the rest of this user get 503 with Retry-After", async () => {
  const { ask, release, running } = heldEngine();
  const refused: Response[] = [];
  const asked = Array.from({ length: 60 }, () => ask(VIEWER));
  for (const answer of asked) void answer.then((response) => response.status === 503 && refused.push(response));
  await until(() => refused.length >= 60 - OF_USER);
  expect(running.size).toBe(AT_ONCE);
  const another = ask(OPERATOR);
  release();
  const statuses = Map.groupBy(await Promise.all(asked), ({ status }) => status);
  expect([statuses.get(200)?.length, statuses.get(503)?.length]).toEqual([OF_USER, 60 - OF_USER]);
  expect(auditResponse.parse(await (await another).json()).events).toEqual([]);
  expect(refused[0]?.headers.get("Retry-After")).toBe("1");
  expect(errorResponse.parse(await refused[0]?.json()).error).toEqual({
    code: "too_many_searches",
    message: `${OF_USER} searches of the audit trail by this user run or wait, and no more are accepted`,
  });
});

test("a client that disconnects ends its searches", async () => {
  const { ask, release, running } = heldEngine();
  const gone = new AbortController();
  const asked = Array.from({ length: OF_USER }, () => ask(VIEWER, gone.signal).catch(() => "ended"));
  await until(() => running.size === AT_ONCE);
  gone.abort();
  expect(new Set(await Promise.all(asked))).toEqual(new Set(["ended"]));
  await until(() => running.size === 0);
  release();
  await until(() => ask(VIEWER), ({ status }) => status === 200);
});

test("searches of the trail and of an order's events count for the user who asked", async () => {
  const asked = replaced(AuditSearches.prototype, "run", (_user, _signal, search) => search());
  const { url } = serveTestEngine();
  const paths = [`${PATHS.audit}?from=2026-01-01&to=2026-01-02`, "/api/admin/orders/ORD-1/events"];
  for (const path of paths) {
    const answer = await fetch(`${url}${path}`, { headers: { [ACTING_USER_HEADER]: OPERATOR } });
    expect([path, answer.status]).toEqual([path, 200]);
  }
  expect((await fetch(`${url}${paths[0]}`, { headers: { [ACTING_USER_HEADER]: VIEWER } })).status).toBe(200);
  expect(asked.map(([userId, signal]) => [userId, signal instanceof AbortSignal]))
    .toEqual([[OPERATOR, true], [OPERATOR, true], [VIEWER, true]]);
});

test("a client that disconnects ends the search for an order's events too", async () => {
  const audit = SqliteAuditStore.inMemory({ now: Date.now });
  const signals: (AbortSignal | undefined)[] = [];
  audit.orderEvents = (_orderId, _query, signal) => {
    signals.push(signal);
    return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  };
  const { url } = serveTestEngine({ audit });
  const gone = new AbortController();
  const headers = { [ACTING_USER_HEADER]: OPERATOR };
  const asked = fetch(`${url}/api/admin/orders/ORD-1/events`, { headers, signal: gone.signal }).catch(() => "ended");
  await until(() => signals.length === 1, "the search to begin");
  gone.abort();
  expect(await asked).toBe("ended");
  await until(() => signals[0]?.aborted, "the search to end");
});

test("a search is of one day or of several, and never backwards", async () => {
  const { url } = serveTestEngine();
  const statusOf = async (from: string, to: string) => {
    const answer = await fetch(`${url}${PATHS.audit}?from=${from}&to=${to}`, {
      headers: { [ACTING_USER_HEADER]: VIEWER },
    });
    return [answer.status, answer.ok ? null : errorResponse.parse(await answer.json()).error.message];
  };
  for (const to of ["2026-03-02", "2026-03-03"]) expect(await statusOf("2026-03-02", to)).toEqual([200, null]);
  expect(await statusOf("2026-03-02", "2026-03-01")).toEqual([400, "from: 2026-03-02 is after to, 2026-03-01"]);
});
