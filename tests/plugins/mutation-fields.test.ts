// What the mutation tools send, and how they report a confirmation. The connection confirms what a test gives it, and each
// field has another value, so swapped fields are found.

import { describe, expect, test } from "bun:test";
import type { PubSub } from "../../core/backend/pubsub.ts";
import { PERMISSIONS } from "../../protocol/index.ts";
import type { ToolContext } from "../../core/tools/context.ts";
import { configurationFor } from "../core/support/services.ts";
import { text, type Value } from "./support/desk.ts";
import { TOOLS } from "./support/packs.ts";
import { NOW, snapshotOf, StillMarket } from "./support/still-market.ts";
import { wholeModule } from "../support/modules.ts";

interface Sent {
  readonly action: string;
  readonly payload: unknown;
  readonly options: unknown;
}

/** A market whose engine confirms every request with `result`, and the requests it got. */
function confirming(result: Value, modules: Record<string, Record<string, unknown>> = {}) {
  const sent: Sent[] = [];
  const request = ((action: string, payload: unknown, options: unknown) => {
    sent.push({ action, payload, options });
    return Promise.resolve({ kind: "ok", operationId: "operation-1", result });
  }) as unknown as PubSub["request"];
  const market = new StillMarket({
    modules,
    permissions: PERMISSIONS,
    pubsub: { request },
    services: { configuration: configurationFor({ STRESS_TEST_SECRET: "hush" }) },
  });
  return { market, sent };
}

const order = (data: Value) => ({
  id: "o1",
  ...wholeModule("ORDER", { clientOrderId: "mine", quantity: 10, filledQuantity: 4, status: "partial", ...data }),
});

describe("mkt_create_test_order", () => {
  const CONTRACT = { "/CONTRACT/con": { hours: 1 } };
  const input = { contractId: "con", price: -5, quantity: 10 };

  test.each([["BUY", 0], ["SELL", 1]] as const)(
    "%s is sent as %p and shown as BUY or SELL",
    async (side, code) => {
      const { market, sent } = confirming({ order: order({ side: code }) }, CONTRACT);
      const created = await market.ok("mkt_create_test_order", { ...input, side, idempotencyKey: "key" });
      expect(sent).toEqual([{
        action: "order.submit",
        payload: expect.objectContaining({ ...input, side: code }),
        options: expect.objectContaining({ operationId: "key" }),
      }]);
      expect(created).toMatchObject({
        status: "success",
        message: "Order o1 was partial when confirmed and is no longer kept: 4 of 10 MW filled.",
        userId: "user-1",
        orderId: "o1",
        clientOrderId: "mine",
        orderDetails: { id: "o1", side, status: "partial" },
      });
    },
  );

  test.each([["mkt_create_test_order", { ...input, side: "BUY" }], ["mkt_cancel_order", { orderId: "o1" }]])(
    "%s shows the current order of the snapshot",
    async (tool, args) => {
      const { id: _id, ...current } = order({ side: 1, status: "filled", filledQuantity: 9, quantity: 9.5 });
      const { market } = confirming({ order: order({ side: 0 }) }, { ...CONTRACT, "/ORDER/o1": current });
      expect(await market.ok(tool, args)).toMatchObject({
        message: "Order o1 is filled: 9 of 9.5 MW filled.",
        orderDetails: { side: "SELL", status: "filled" },
      });
    },
  );
});

describe("halting and resuming", () => {
  const HALT = { "/MARKET/m": {} };

  test.each([["mkt_halt_market", "market.halt"], ["mkt_resume_market", "market.resume"]])(
    "%s sends %s, and gives the confirmed market and status",
    async (tool, action) => {
      for (const marketStatus of ["halted", "preopen", "open", "closed"]) {
        const { market, sent } = confirming({ marketId: "other", marketStatus }, HALT);
        expect(await market.ok(tool, { marketId: "m", reason: "storm" })).toMatchObject({
          status: "success",
          message: `Market other is ${marketStatus}.`,
          marketId: "other",
          marketStatus,
        });
        expect(sent).toMatchObject([{ action, payload: { marketId: "m", reason: "storm" } }]);
      }
    },
  );
});

describe("setting credit and documents", () => {
  const pair = { entityId: "entity-1", counterpartyId: "b" };
  const shown = {
    ...pair,
    documentation: "docs_in_place",
    counterpartyDocumentation: "docs_in_place",
    tradable: true,
    updatedAt: NOW,
  };
  const credit = (change: object = {}) => ({ id: "a:b", ...wholeModule("CREDIT", { ...shown, ...change }) });
  const canTrade = "entity-1 and b can trade; their crossed orders trade by themselves, at once in an open market.";

  const limits: [Value, string][] = [
    [{ limitType: "notional", scope: "total", limit: 5 }, "The total notional limit of entity-1 for b is 5 dollars."],
    [{ limitType: "mw", scope: "total", limit: 6 }, "The total mw limit of entity-1 for b is 6 MW."],
    [
      { limitType: "mwh", scope: "per_contract", contractId: "con", limit: 7 },
      "The per_contract mwh limit of entity-1 for b on con is 7 MWh.",
    ],
  ];

  test.each(limits)("a limit of %p is sent unchanged and reported", async (terms, message) => {
    const { market, sent } = confirming({ credit: credit() }, { "/CONTRACT/con": { status: "listed" } });
    const set = await market.ok("mkt_set_credit_limit", { ...pair, ...terms });
    expect(sent).toMatchObject([{ action: "credit.setLimit", payload: { ...pair, ...terms } }]);
    expect(set).toMatchObject({
      status: "success",
      message: `${message} ${canTrade}`,
      result: { ...shown, limits: [] },
    });
  });

  test.each(["docs_in_place", "pending", "no_docs"])("the status %s is sent, with notes", async (status) => {
    const change = { documentation: status, counterpartyDocumentation: "no_docs", tradable: false, notes: "signed" };
    const { market, sent } = confirming({ credit: credit(change) });
    const marked = await market.ok("mkt_set_documentation_status", { ...pair, status, notes: "signed" });
    expect(sent).toMatchObject([{
      action: "credit.setDocumentation",
      payload: { ...pair, status, notes: "signed" },
    }]);
    expect(marked).toMatchObject({
      message: expect.stringContaining(
        `entity-1 has set ${status} for b; b has set no_docs for entity-1. entity-1 and b can't trade:`,
      ),
      result: { ...shown, ...change },
    });
  });

  const LOT = { status: "listed", lot: 1, hours: 1 };
  const LIMIT = { limitType: "mw", scope: "total", contractId: null, limit: 5, marginPercent: 100, used: 5 };
  const OWN_LIMIT = "entity-1's limits for b leave no lot of any contract; raise them with mkt_set_credit_limit.";
  const obstacles: [string, object, string][] = [
    ["own documents", { documentation: "pending" }, "set docs_in_place for b with mkt_set_documentation_status."],
    [
      "the other's documents",
      { counterpartyDocumentation: "pending" },
      "b has not set docs_in_place; a user of b with Credit.Manage calls mkt_set_documentation_status.",
    ],
    ["no own limit", {}, "entity-1 has set no limit for b; set one with mkt_set_credit_limit."],
    ["an own limit", { limits: [{ ...LIMIT, available: 0 }] }, OWN_LIMIT],
    [
      "the other's limit",
      { limits: [{ ...LIMIT, available: 1 }] },
      "b's limits for entity-1 are missing or leave no lot of any contract; a user of b with Credit.Manage calls " +
      "mkt_set_credit_limit.",
    ],
  ];

  test.each(obstacles)("the message says what still prevents trades: %s", async (_what, change, message) => {
    const { market } = confirming({ credit: credit({ tradable: false, ...change }) }, { "/CONTRACT/con": LOT });
    const set = await market.ok("mkt_set_credit_limit", { ...pair, limitType: "mw", scope: "total", limit: 5 });
    expect(text(set, "message")).toEndWith(` entity-1 and b can't trade: ${message}`);
  });

  test("an unknown counterparty or contract is not sent, and the error says what was probably meant", async () => {
    const names = { "/ENTITY/b": { name: "Beta Energy" }, "/CONTRACT/con-1": { productCode: "CON", status: "listed" } };
    const { market, sent } = confirming({ credit: credit() }, { ...names, "/ENTITY/a": {} });
    const terms = { ...pair, limitType: "mw", scope: "per_contract", contractId: "CON", limit: 5 };
    const contract = await market.failure("mkt_set_credit_limit", terms);
    expect(contract).toMatchObject({
      code: "not_found",
      message: 'There is no CONTRACT "CON".',
      hint: expect.stringContaining("Did you mean con-1?"),
    });
    for (
      const [tool, input] of [["mkt_set_credit_limit", terms], ["mkt_set_documentation_status", { status: "pending" }]]
    ) {
      const named = await market.failure(String(tool), { ...pair, ...input as object, counterpartyId: "beta" });
      expect(named).toMatchObject({
        code: "not_found",
        message: 'There is no ENTITY "beta".',
        hint: expect.stringContaining("Did you mean b?"),
      });
    }
    expect(sent).toEqual([]);
  });
});

describe("flushing", () => {
  const ENGINES = {
    "/ENGINE/e1": { contractId: "c1" },
    "/ENGINE/e2": { contractId: "c2" },
    "/CONTRACT/c1": { engineId: "e1" },
    "/CONTRACT/c2": { engineId: "e2" },
  };
  const counts: [number, string][] = [[0, "0 open orders"], [1, "1 open order"], [2, "2 open orders"]];

  test.each(counts)("a preview counts %p orders; confirm cancels them", async (count, orders) => {
    const confirmed = { engineId: "e2", contractId: "c2", ordersAffected: count };
    const book = `${orders} of contract c2`;
    const ways: [string, Value, string, boolean][] = [
      ["preview", {}, `Would cancel ${book}; nothing was changed. Call again with confirm=true to do it.`, true],
      [
        "preview",
        { confirm: false },
        `Would cancel ${book}; nothing was changed. Call again with confirm=true to do it.`,
        true,
      ],
      ["success", { confirm: true }, `Cancelled ${book}.`, false],
    ];
    for (const [status, input, message, preview] of ways) {
      const { market, sent } = confirming(confirmed, ENGINES);
      const flushed = await market.ok("mkt_flush_order_book", { contractId: "c1", ...input });
      // The request names the engine of the snapshot; the result has what the engine confirmed.
      expect(sent).toMatchObject([{ action: "engine.flush", payload: { engineId: "e1", preview } }]);
      expect(flushed).toMatchObject({ status, message, ...confirmed });
    }
  });

  test("flushing all orders: a preview counts, confirm cancels", async () => {
    for (const [count, orders] of counts) {
      const { market, sent } = confirming({ ordersAffected: count });
      expect(await market.ok("mkt_flush_all_orders")).toMatchObject({
        status: "preview",
        message: expect.stringContaining(`Would cancel ${orders};`),
        ordersAffected: count,
      });
      expect(await market.ok("mkt_flush_all_orders", { confirm: true })).toMatchObject({
        status: "success",
        message: `Cancelled ${orders}.`,
        ordersAffected: count,
      });
      expect(sent).toMatchObject([
        { action: "market.flush", payload: { preview: true } },
        { action: "market.flush", payload: { preview: false } },
      ]);
    }
  });

  test("a failed flush repeats the given engineId and contractId", async () => {
    const down = new StillMarket({ pubsub: { status: "disconnected", session: null } });
    const { value } = await down.call("mkt_flush_order_book", { engineId: "e9", contractId: "c9" });
    expect(value).toMatchObject({ status: "not_connected", engineId: "e9", contractId: "c9", ordersAffected: null });
    const neither = await down.call("mkt_flush_order_book", {});
    expect(neither.value).toMatchObject({ engineId: null, contractId: null });
  });
});

describe("mkt_dev_reset_credit_and_docs", () => {
  const summary = { entities: 3, pairs: 6, creditUpdates: 5, docsUpdates: 4 };
  const done = "5 credit and 4 documentation updates over 6 pairs of 3 entities";

  const skips: [Value][] = [[{}], [{ skipCredit: true }], [{ skipDocs: true }], [{
    skipCredit: false,
    skipDocs: true,
  }]];
  test.each(skips)("sends the secret, the limit and %p", async (skip) => {
    const { market, sent } = confirming({ summary, errors: [] });
    const reset = await market.ok("mkt_dev_reset_credit_and_docs", { creditLimit: 7, ...skip });
    expect(sent).toMatchObject([{ action: "dev.reset", payload: { creditLimit: 7, secret: "hush", ...skip } }]);
    expect(reset).toMatchObject({ status: "success", message: `Done: ${done}.`, summary, errors: [] });
  });

  test("is partial, and not an error, if some updates failed", async () => {
    const { market } = confirming({ summary, errors: ["a:b", "b:a"] });
    expect(await market.ok("mkt_dev_reset_credit_and_docs", { creditLimit: 0 })).toMatchObject({
      status: "partial",
      message: `Done in part: ${done}; 2 failed, see errors.`,
      summary,
      errors: ["a:b", "b:a"],
    });
  });
});

describe("connecting and disconnecting", () => {
  const session = {
    userId: "u",
    entityId: "e",
    capabilities: ["Market.View"],
    engineId: "engine",
    epoch: 5,
  } as const;
  const health = () => Promise.resolve({ engineId: "engine" });
  const market = (pubsub: Partial<PubSub>) => new StillMarket({ pubsub, services: { backend: { health } as never } });

  const before: [PubSub["status"], boolean][] = [
    ["disconnected", false],
    ["connecting", false],
    ["reconnecting", false],
    ["connected", true],
  ];

  test.each(before)("while %s the message says whether there was a connection: %p", async (status, already) => {
    const asked: string[] = [];
    const connect = (userId: string) => {
      asked.push(userId);
      return Promise.resolve(session);
    };
    const value = await market({ status, session: null, connect }).ok("mkt_connect_pubsub", { userId: "u" });
    expect(text(value, "message").startsWith("Already connected as u")).toBe(already);
    expect(value).toMatchObject(session);
    await market({ status, session: null, connect }).ok("mkt_connect_pubsub");
    expect(asked).toEqual(["u", "user-1"]);
  });

  test("a refused connect reports the existing session, if any", async () => {
    const refused = { connect: () => Promise.reject(new Error("boom")) };
    const held = await market({ ...refused, session: { ...session, entityId: null } }).call("mkt_connect_pubsub");
    expect(held.value).toMatchObject({ ...session, entityId: null, status: "error" });
    const other = await market({ ...refused, session }).call("mkt_connect_pubsub");
    expect(other.value).toMatchObject(session);
    const none = await market({ ...refused, session: null }).call("mkt_connect_pubsub");
    expect(none.value).toMatchObject({ userId: null, entityId: null, capabilities: [], engineId: null, epoch: null });
  });

  const endings: [PubSub["status"], typeof session | null, string][] = [
    ["connected", session, "Disconnected; the acting user was u."],
    ["reconnecting", session, "Disconnected; the acting user was u."],
    ["disconnected", null, "There was no connection."],
    ["connecting", null, "There was no connection."],
  ];

  test.each(endings)(
    "a disconnect while %s names the user of the ended connection",
    async (status, current, message) => {
      let ended = 0;
      const disconnect = () => {
        ended += 1;
        return Promise.resolve();
      };
      expect(await market({ status, session: current, disconnect }).ok("mkt_disconnect_pubsub"))
        .toMatchObject({ status: "success", message, userId: current?.userId ?? null });
      expect(ended).toBe(1);
    },
  );
});

describe("questions to a person", () => {
  const MODULES = {
    "/ENGINE/e1": { contractId: "c1" },
    "/ENGINE/e2": { contractId: "c2" },
    "/CONTRACT/c2": { engineId: "e2" },
    "/MARKET/m": { name: "Power" },
    "/MARKET/n": { name: "Island" },
  };
  const context = { snapshot: snapshotOf(MODULES) } as unknown as ToolContext;
  const questionOf = (name: string, input: Record<string, unknown>) =>
    TOOLS.find((tool) => tool.name === name)?.question?.(input, context);
  const undone = "It can't be undone.";

  const questions: [string, Record<string, unknown>, string | null][] = [
    ["mkt_flush_order_book", {}, null],
    ["mkt_flush_order_book", { confirm: false }, null],
    ["mkt_flush_order_book", { confirm: true }, `Cancel every open order of contract c1 (engine e1)? ${undone}`],
    [
      "mkt_flush_order_book",
      { confirm: true, contractId: "c2" },
      `Cancel every open order of contract c2 (engine e2)? ${undone}`,
    ],
    ["mkt_flush_all_orders", {}, null],
    ["mkt_flush_all_orders", { confirm: false }, null],
    [
      "mkt_flush_all_orders",
      { confirm: true },
      `Cancel every open order of every book, and remove the fill history? ${undone}`,
    ],
    [
      "mkt_halt_market",
      {},
      "Halt market Power (m)? All matching stops at once, for everyone. No reason was given.",
    ],
    [
      "mkt_halt_market",
      { marketId: "n", reason: 'a "storm"' },
      'Halt market Island (n)? All matching stops at once, for everyone. The reason given is "a \\"storm\\"".',
    ],
  ];

  test.each(questions)("%s with %p", (name, input, question) => {
    expect(questionOf(name, input)).toBe(question);
  });

  test("no other tool asks a question", () => {
    const asking = TOOLS.filter(({ question }) => question !== undefined).map(({ name }) => name);
    expect(asking).toEqual(["mkt_halt_market", "mkt_flush_order_book", "mkt_flush_all_orders"]);
  });
});
