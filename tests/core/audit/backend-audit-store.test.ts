// What the backend's audit store asks, and what its answers become.

import { expect, spyOn, test } from "bun:test";
import { NEUTRAL_ADVICE } from "../../../core/advice.ts";
import { BackendAuditStore } from "../../../core/audit/backend-audit-store.ts";
import { BackendHttp } from "../../../core/backend/backend-http.ts";

const DAYS = { from: "2026-01-01", to: "2026-01-02" };
const PAGE = { events: [], hasMore: false, cursor: null, range: DAYS };

async function asked(status: number, body: unknown, call: (store: BackendAuditStore) => Promise<unknown>) {
  const ask = spyOn(BackendHttp.prototype, "ask").mockResolvedValue({ status, body, request: {} } as never);
  const read = spyOn(BackendHttp.prototype, "read").mockReturnValue(PAGE as never);
  try {
    const options = { baseUrl: "http://e", token: null, actingUserId: () => "u", advice: NEUTRAL_ADVICE };
    const result = await call(new BackendAuditStore(options as never)).catch((error: unknown) => error);
    return { result, request: ask.mock.calls[0]?.[0], reads: read.mock.calls.length };
  } finally {
    ask.mockRestore();
    read.mockRestore();
  }
}

test("both searches pass on their query and the signal of their caller", async () => {
  const { signal } = new AbortController();
  const query = { ...DAYS, limit: 5 };
  const audit = await asked(200, PAGE, (store) => store.query(query, undefined, signal));
  expect(audit).toMatchObject({ result: PAGE, request: { method: "GET", path: "/api/admin/audit", query } });
  const events = await asked(200, PAGE, (store) => store.orderEvents("a/b", { limit: 7 }, signal));
  expect(events.request).toMatchObject({ path: "/api/admin/orders/a%2Fb/events", query: { limit: 7 } });
  expect([audit.request?.signal, events.request?.signal]).toEqual([signal, signal]);
});

const refusal = (code: string) => JSON.stringify({ error: { code, message: "No." } });
test.each<[number, unknown, string | null]>([
  [503, refusal("too_many_searches"), "rate_limited"],
  [503, refusal("other"), null],
  [429, refusal("too_many_searches"), null],
  [400, refusal("x"), "invalid_input"],
  [414, "", "invalid_input"],
  [431, "", "invalid_input"],
  [403, refusal("forbidden"), null],
  [500, "", null],
])("an answer %d with %j", async (status, body, code) => {
  const { result, reads } = await asked(status, body, (store) => store.orderEvents("o", { limit: 1 }));
  if (code === null) expect([result, reads]).toEqual([PAGE, 1]);
  else expect([result, reads]).toEqual([expect.objectContaining({ code }), 0]);
});
