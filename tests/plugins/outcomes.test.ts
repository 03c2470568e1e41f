// How each mutation reports outcomes that a real engine can't be made to give on purpose: no confirmation, a failure of the
// engine, a refusal with an unknown code.

import { describe, expect, test } from "bun:test";
import type { PubSub } from "../../core/backend/pubsub.ts";
import type { RequestOutcome } from "../../protocol/client/pending-requests.ts";
import { PERMISSIONS, REJECTION_CODES } from "../../protocol/index.ts";
import { configurationFor } from "../core/support/services.ts";
import { orderData } from "../support/scripted-engine.ts";
import { TOOLS } from "./support/packs.ts";
import { StillMarket } from "./support/still-market.ts";

type Failed = Exclude<RequestOutcome, { kind: "ok" }>;

const UNTIL = "2030-06-01T12:00:02.000Z";

const CALLS: Readonly<Record<string, { input: Record<string, unknown>; fields: Record<string, unknown> }>> = {
  mkt_create_test_order: {
    input: { contractId: "c", side: "BUY", price: 1, quantity: 1 },
    fields: { orderId: null, orderDetails: null },
  },
  mkt_cancel_order: { input: { orderId: "o" }, fields: { orderId: "o", orderDetails: null } },
  mkt_halt_market: { input: { marketId: "m" }, fields: { marketId: "m", marketStatus: null } },
  mkt_resume_market: { input: {}, fields: { marketId: null, marketStatus: null } },
  mkt_set_credit_limit: {
    input: { entityId: "entity-1", counterpartyId: "b", limitType: "mw", scope: "total", limit: 1 },
    fields: { result: null },
  },
  mkt_set_documentation_status: {
    input: { entityId: "entity-1", counterpartyId: "b", status: "pending" },
    fields: { result: null },
  },
  mkt_flush_order_book: {
    input: { contractId: "c", confirm: true },
    fields: { engineId: null, contractId: "c", ordersAffected: null },
  },
  mkt_flush_all_orders: { input: { confirm: true }, fields: { ordersAffected: null } },
  mkt_dev_reset_credit_and_docs: { input: { creditLimit: 1 }, fields: { summary: null, errors: [] } },
};

/** A market with one contract, whose connection sends requests in this way. */
function marketThat(request: PubSub["request"], permissions: readonly string[] = PERMISSIONS): StillMarket {
  const modules = { "/CONTRACT/c": { engineId: "e", hours: 1 }, "/ENGINE/e": { contractId: "c" } };
  const configuration = configurationFor({ STRESS_TEST_SECRET: "s" });
  return new StillMarket({ modules, permissions, pubsub: { request }, services: { configuration } });
}

async function failureOf(name: string, input: Record<string, unknown> | undefined, market: StillMarket) {
  const { isError, value } = await market.call(name, input);
  expect(isError).toBe(true);
  return value;
}

/** The result of a call on a connection where every request ends with `outcome`. */
async function answerOf(name: string, outcome: Failed) {
  return await failureOf(name, CALLS[name]?.input, marketThat(() => Promise.resolve(outcome)));
}

test("every tool that sends a request is tried here", () => {
  const senders = TOOLS.filter(({ requires }) => requires?.connection === "write").map(({ name }) => name);
  expect(senders.sort()).toEqual(Object.keys(CALLS).sort());
});

describe.each(Object.entries(CALLS))("%s", (name, { fields }) => {
  test("a timeout says that the outcome is unknown and how to find out", async () => {
    const value = await answerOf(name, {
      kind: "timeout",
      operationId: "operation-7",
      waitedMs: 15_000,
      validUntil: UNTIL,
    });
    expect(value).toMatchObject({
      ...fields,
      status: "timeout",
      message: "It is unknown whether it took effect.",
      userId: "user-1",
      idempotencyKey: "operation-7",
      error: { code: "timeout", message: expect.stringMatching(/15000 ms.*can't take effect after 2030-/) },
    });
    const look = name.startsWith("mkt_dev") ? "" : "mkt_(get|list|find)_.*";
    const hint = expect.stringMatching(new RegExp(`${look}idempotencyKey "operation-7"`));
    expect(value).toMatchObject({ error: { hint } });
  });

  test("sends the idempotencyKey as operationId, not in the payload", async () => {
    const sent: unknown[] = [];
    const request: PubSub["request"] = (_action, payload, options) => {
      sent.push(payload, options);
      return Promise.resolve({ kind: "not_connected", operationId: "my-key" });
    };
    const input = { ...CALLS[name]?.input, idempotencyKey: "my-key" };
    const signal = expect.any(AbortSignal);
    expect(await failureOf(name, input, marketThat(request))).toMatchObject({ ...fields, status: "not_connected" });
    expect(sent).toEqual([expect.not.objectContaining({ idempotencyKey: "my-key" }), {
      operationId: "my-key",
      signal,
    }]);
  });

  test("reports a failure of the engine as error, with its code", async () => {
    const value = await answerOf(name, { kind: "error", operationId: "x", code: "broken", message: "It broke." });
    expect(value).toMatchObject({
      ...fields,
      status: "error",
      message: "The call failed.",
      reason: "broken",
      error: { code: "backend_error", message: "It broke." },
    });
  });

  test("reports a connection lost before the request is sent as not_connected", async () => {
    const value = await answerOf(name, { kind: "not_connected", operationId: "x" });
    expect(value).toMatchObject({ ...fields, status: "not_connected", error: { code: "not_connected" } });
    expect(value).not.toHaveProperty("idempotencyKey");
  });

  test("reports a refusal with an unknown code as rejected, with the code as reason", async () => {
    const value = await answerOf(name, { kind: "rejected", operationId: "x", code: "full_moon", message: "Not now." });
    expect(value).toMatchObject({
      ...fields,
      status: "rejected",
      message: "Rejected; nothing was changed.",
      reason: "full_moon",
      error: { code: "rejected", message: "Not now.", hint: expect.stringMatching(/^Nothing was changed\. .*\.$/) },
    });
  });
});

describe("the engine's refusals", () => {
  test("speak in the words of the tools, not in those of the protocol", async () => {
    const told = async (code: string, message: string) => {
      const value = await answerOf("mkt_cancel_order", { kind: "rejected", operationId: "my-key", code, message });
      return (value["error"] as Record<string, unknown>)["message"];
    };
    expect(await told("operation_conflict", "Operation my-key was sent before; give each its own operationId.")).toBe(
      'The idempotencyKey "my-key" was used before, for a request with other content.',
    );
    expect(await told("internal", "The engine failed on this order.submit. Send it under another operationId.")).toBe(
      "The engine failed on this mkt_create_test_order. Send it under another idempotencyKey.",
    );
  });

  const STATUS_OF: Partial<Record<string, string>> = { no_entity: "no_entity", not_cancellable: "not_cancellable" };
  const CODE_OF: Partial<Record<string, string>> = {
    forbidden: "forbidden",
    no_entity: "forbidden",
    wrong_secret: "forbidden",
    not_found: "not_found",
    invalid_payload: "invalid_input",
    invalid_quantity: "invalid_input",
    invalid_price: "invalid_input",
    invalid_time: "invalid_input",
    not_configured: "not_configured",
    operation_conflict: "invalid_input",
    limit_exceeded: "limit_exceeded",
    storage_full: "backend_unavailable",
    storage_missing: "backend_unavailable",
    clock_jumped: "backend_unavailable",
    rate_limited: "rate_limited",
  };

  test.each(REJECTION_CODES)("%s has a status, an error code and a hint", async (code) => {
    const value = await answerOf("mkt_cancel_order", { kind: "rejected", operationId: "x", code, message: "No." });
    expect(value).toMatchObject({
      status: STATUS_OF[code] ?? "rejected",
      reason: code,
      error: { code: CODE_OF[code] ?? "rejected", hint: expect.stringMatching(/\.$/) },
    });
  });

  test("a status that a tool does not have becomes rejected", async () => {
    const outcome = { kind: "rejected", operationId: "x", code: "not_cancellable", message: "No." } as const;
    expect(await answerOf("mkt_create_test_order", outcome)).toMatchObject({ status: "rejected" });
  });
});

test("the hint after a timed-out order names the filter that finds it", async () => {
  const value = await answerOf("mkt_create_test_order", {
    kind: "timeout",
    operationId: "operation-7",
    waitedMs: 1,
    validUntil: UNTIL,
  });
  const hint = expect.stringContaining('mkt_find_modules, moduleType ORDER, filters {"clientOrderId":"operation-7"}');
  expect(value).toMatchObject({ clientOrderId: "operation-7", error: { hint } });
});

test("a confirmed order that is no longer kept is reported as it was confirmed", async () => {
  const order = orderData("ORD-1");
  const confirmation = { kind: "ok", operationId: "my-key", result: { order } };
  const request = (() => Promise.resolve(confirmation)) as unknown as PubSub["request"];
  const { isError, value } = await marketThat(request).call(
    "mkt_create_test_order",
    CALLS["mkt_create_test_order"]?.input,
  );
  expect([isError, value]).toMatchObject([false, {
    status: "success",
    orderId: "ORD-1",
    message: expect.stringContaining("was working when confirmed and is no longer kept"),
  }]);
});

describe("a refused call sends nothing", () => {
  const trader = PERMISSIONS.filter((permission) => !["Market.Operate", "Scope.Global"].includes(permission));
  const refused: [string, Record<string, unknown>][] = [
    ["mkt_create_test_order", { contractId: "unknown" }],
    ["mkt_halt_market", {}],
    ["mkt_resume_market", {}],
    ["mkt_set_credit_limit", { entityId: "entity-2" }],
    ["mkt_set_credit_limit", { scope: "per_contract" }],
    ["mkt_set_documentation_status", { entityId: "entity-2" }],
    ["mkt_flush_order_book", {}],
    ["mkt_flush_all_orders", {}],
  ];

  test.each(refused)("%s with %p", async (name, change) => {
    const sent: string[] = [];
    const market = marketThat((action) => {
      sent.push(action);
      return Promise.resolve({ kind: "not_connected", operationId: "x" });
    }, trader);
    const value = await failureOf(name, { ...CALLS[name]?.input, ...change }, market);
    expect(sent).toEqual([]);
    expect(value).toMatchObject({ error: { code: expect.stringMatching(/^(forbidden|not_found|invalid_input)$/) } });
  });
});
