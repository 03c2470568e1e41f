// What the page asks its server for: the tool, its arguments, how often, and that the request ends with the page.

import { beforeEach, describe, expect, test } from "bun:test";
import { Refusal, settle } from "../../support/browser.ts";
import { openDashboard } from "../../support/dashboard.ts";
import { following } from "../../support/hook.ts";

const { answers, later, sent } = await openDashboard();
const { useContractFacts } = await import("../../../../web/dashboard/live/contract-facts.ts");
const { entities, entityName, loadEntities } = await import("../../../../web/dashboard/live/entity-names.ts");
const { useEntityTotals } = await import("../../../../web/dashboard/live/entity-totals.ts");
const { useOwnOrders } = await import("../../../../web/dashboard/live/own-orders.ts");
const { readAllPages } = await import("../../../../web/dashboard/live/paged-reads.ts");
const { reportOf, usePolled } = await import("../../../../web/dashboard/live/polled.ts");
const { callTool, RequestError, send, sessionHooks } = await import("../../../../web/dashboard/live/server.ts");
const { readOrderTrail } = await import("../../../../web/dashboard/pages/order/trail.ts");

type Given = Readonly<Record<string, unknown>>;
const asked = () => sent.map(({ body }) => (body as { readonly arguments: Given }).arguments);
const refuses = (code: string) => () => {
  throw new Refusal(403, { code, message: "No." });
};

/** What ends a read, and tells its reason to its requests. */
function ended() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort("left") };
}

/** The signals of all requests. */
let signals: (AbortSignal | undefined)[] = [];
const { fetch } = globalThis;
globalThis.fetch = ((path: string, init: RequestInit) => {
  signals.push(init.signal ?? undefined);
  return fetch(path, init);
}) as typeof fetch;
beforeEach(() => {
  signals = [];
});

test("a request that is no GET has the session's token in the header that only pages of this origin can send", async () => {
  const heads: Record<string, string>[] = [];
  const before = globalThis.fetch;
  globalThis.fetch = ((path: string, init: RequestInit) => {
    heads.push({ path, ...init.headers as Record<string, string> });
    return Promise.resolve(Response.json({}));
  }) as unknown as typeof fetch;
  sessionHooks.requestToken = "secret";
  await callTool("a/b", { arguments: {} });
  await send("DELETE", "/c");
  globalThis.fetch = before;
  expect(heads).toEqual([
    { path: "/dashboard/tools/a%2Fb", "Content-Type": "application/json", "X-Mkt-Request": "secret" },
    { path: "/c", "X-Mkt-Request": "secret" },
  ]);
});

describe("a list of pages", () => {
  test("that never ends is read thirty times, each time with the same signal", async () => {
    answers["mkt_list"] = { rows: ["a"], cursor: "more" };
    const { signal, abort } = ended();
    expect((await readAllPages("mkt_list", "rows", { x: 1 }, signal)).length).toBe(30);
    abort();
    expect(signals.map((each) => each?.reason)).toEqual(Array(30).fill("left"));
    expect([asked()[0], asked()[29]]).toEqual([{ x: 1, limit: 100 }, { x: 1, limit: 100, cursor: "more" }]);
  });

  test("fails as its first failure says, although it has read pages before", async () => {
    answers["mkt_list"] = ({ cursor }: Given) => {
      if (cursor === "2") refuses("forbidden")();
      return { rows: [1], cursor: "2" };
    };
    await expect(readAllPages("mkt_list", "rows")).rejects.toBeInstanceOf(RequestError);
  });
});

describe("the entities", () => {
  const row = (id: string, name: string) => ({ id, name, code: id, userIds: [], creditStatus: "ok" });

  test("are read once for all who ask meanwhile, and again for whoever asks later, also after a failure", async () => {
    expect([entities.value, entityName("A")]).toEqual([null, ""]);
    answers["mkt_list_entities"] = refuses("busy");
    const failed = [loadEntities(), loadEntities()];
    expect((await Promise.allSettled(failed)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect([sent.length, entities.value]).toEqual([1, null]);
    answers["mkt_list_entities"] = ({ cursor }: Given) =>
      cursor === undefined
        ? { entities: [row("A", "Ash")], cursor: "c" }
        : { entities: [row("B", "Beech")], cursor: null };
    const [one, other] = await Promise.all([loadEntities(), loadEntities()]);
    expect([sent.length, one === other, entities.value!.map(({ id }) => id)]).toEqual([3, true, ["A", "B"]]);
    expect(["A", "B", "C"].map(entityName)).toEqual(["Ash", "Beech", ""]);
    answers["mkt_list_entities"] = { entities: [row("C", "Cedar")], cursor: null };
    await loadEntities();
    expect(["A", "C"].map(entityName)).toEqual(["", "Cedar"]);
  });
});

test("the facts of a contract are asked for by its id, with the fields that are shown", async () => {
  const FACTS = { id: "C", tick: 25 };
  answers["mkt_find_modules"] = { modules: [FACTS] };
  const page = await following(useContractFacts, "C");
  expect(JSON.parse(page.text())).toEqual(FACTS);
  const fields = ["id", "name", "productId", "marketId", "status", "deliveryStart", "deliveryEnd", "hours", "lot"];
  expect(asked()).toEqual([{
    ...{ moduleType: "CONTRACT", filters: { id: "C" }, limit: 1 },
    fields: [...fields, "tick", "minimumPrice", "maximumPrice"],
  }]);
});

test("own orders are asked for as orders, a thousand of them", async () => {
  answers["mkt_find_modules"] = { modules: [] };
  await following(useOwnOrders, "C");
  expect(asked()[0]).toMatchObject({ moduleType: "ORDER", limit: 1_000 });
});

test("the totals of an entity are asked for with its positions, and no longer once the page is left", async () => {
  const { promise, resolve } = Promise.withResolvers();
  answers["mkt_get_entity"] = () => promise;
  const page = await following(useEntityTotals, ["A", "B"]);
  expect(asked()).toEqual(["A", "B"].map((entityId) => ({ entityId, positions: true, limit: 1 })));
  expect(signals.map((signal) => signal?.aborted)).toEqual([false, false]);
  await page.leave();
  expect(signals.map((signal) => signal?.aborted)).toEqual([true, true]);
  await settle(() => resolve({ totals: {} }));
});

describe("what is polled", () => {
  test("is read again at once if it is asked for, also while it is being read and if it is read once only", async () => {
    for (const everyMs of [null, 5_000]) {
      let reload = () => {};
      let reads = 0;
      const waits: (() => void)[] = [];
      const page = await following((key: string) => {
        const polled = usePolled(
          () => {
            const number = ++reads;
            return new Promise<number>((resolve) => waits.push(() => resolve(number)));
          },
          key,
          everyMs,
        );
        reload = polled.reload;
        return polled.value;
      }, "A");
      const finish = () => settle(() => waits.shift()!());
      await settle(reload);
      await finish();
      expect([everyMs, reads, page.text()]).toEqual([everyMs, 2, "1"]);
      await finish();
      expect([everyMs, reads, page.text()]).toEqual([everyMs, 2, "2"]);
      await settle(reload);
      expect([everyMs, reads]).toEqual([everyMs, 3]);
      await finish();
      await later(5_000);
      expect([everyMs, reads]).toEqual([everyMs, everyMs === null ? 3 : 4]);
      await page.leave();
      await settle(reload);
      expect([everyMs, reads]).toEqual([everyMs, everyMs === null ? 3 : 4]);
    }
  });

  test("has the report of a failure, with advice for a person in place of that for an agent", () => {
    const report = (code: string) => reportOf(new RequestError(403, { code, message: "m", hint: "for agents" }));
    expect(report("busy")).toEqual({ code: "busy", message: "m", hint: "for agents" });
    const named = new RequestError(400, {
      ...{ code: "x", message: "The arguments of mkt_x don't fit.", hint: "Call mkt_y first. Or wait. See mkt_z!" },
    });
    expect(reportOf(named)).toEqual({ code: "x", message: "The arguments of this tool don't fit.", hint: "Or wait." });
    expect(reportOf(new RequestError(400, { code: "x", message: "m", hint: "Call mkt_y." })))
      .toEqual({ code: "x", message: "m" });
    expect(report("forbidden")).toMatchObject({ message: "m", hint: expect.stringContaining("MKT_USER_ID") });
    expect(reportOf(new TypeError("fetch failed"))).toMatchObject({ code: "unreachable" });
    expect(() => reportOf(new RangeError("a fault of the page"))).toThrow("a fault of the page");
  });
});

describe("the trail of an order", () => {
  const page = (id: number, hasMore: boolean, cursor: string | null) => ({
    events: [{ id }],
    hasMore,
    cursor,
    note: "n",
  });
  test("is read in pages, six at most, all under the signal of its page", async () => {
    answers["mkt_get_order_events"] = ({ cursor }: Given) =>
      page(Number(cursor ?? 0), true, `${Number(cursor ?? 0) + 1}`);
    const { signal, abort } = ended();
    const { events, hasMore, orderId } = await readOrderTrail("O", signal);
    abort();
    expect([events.map(({ id }) => id as unknown), hasMore, orderId]).toEqual([[0, 1, 2, 3, 4, 5], true, "O"]);
    const given = { orderId: "O", detail: "full" };
    expect([asked()[0], asked()[5]]).toEqual([given, { ...given, cursor: "5" }]);
    expect(signals.map((each) => each?.reason)).toEqual(Array(6).fill("left"));
  });

  test.each([[false, "c"], [true, null]])("ends if there is more: %p, with the cursor %p", async (hasMore, cursor) => {
    answers["mkt_get_order_events"] = page(1, hasMore, cursor);
    expect([(await readOrderTrail("O", ended().signal)).events.length, sent.length]).toEqual([1, 1]);
  });

  test("comes from the audit log if it may not be read by the order's id, and only then", async () => {
    answers["mkt_get_order_events"] = refuses("forbidden");
    answers["mkt_get_audit_log"] = ({ cursor }: Given) =>
      cursor === undefined ? page(1, true, "c") : page(2, false, null);
    const { signal, abort } = ended();
    expect((await readOrderTrail("O", signal)).events.map(({ id }) => id as unknown)).toEqual([1, 2]);
    abort();
    const given = { moduleType: "ORDER", moduleId: "O", limit: 50, detail: "full" };
    expect(asked().slice(1)).toEqual([given, { ...given, cursor: "c" }]);
    expect(signals.every((each) => each?.reason === "left")).toBeTrue();
    sent.length = 0;
    answers["mkt_get_order_events"] = refuses("busy");
    await expect(readOrderTrail("O", ended().signal)).rejects.toThrow("No.");
    expect(sent.length).toBe(1);
  });
});
