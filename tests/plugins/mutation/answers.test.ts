// What mutations say of confirmations that a real engine gives rarely: an order that is gone or has changed since, credit
// whose two sides differ, a market that was named wrongly.

import { describe, expect, test } from "bun:test";
import { PERMISSIONS } from "../../../protocol/index.ts";
import { wholeModule } from "../../support/modules.ts";
import { part } from "../support/desk.ts";
import { StillMarket } from "../support/still-market.ts";

const CREDIT = wholeModule("CREDIT", {
  id: "x",
  entityId: "entity-1",
  counterpartyId: "b",
  tradable: false,
  documentation: "docs_in_place",
  counterpartyDocumentation: "pending",
  limits: [{ limitType: "mw", scope: "total", limit: 7 }],
  notes: "Kept by the engine.",
});
const ORDER = wholeModule("ORDER", { contractId: "c", side: 1, status: "partial", quantity: 10, filledQuantity: 4 });

function marketWith(
  modules: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  outcome: object,
): StillMarket {
  const request = () => Promise.resolve(outcome);
  return new StillMarket({
    modules: { "/ENTITY/b": {}, "/CONTRACT/c": {}, ...modules },
    permissions: PERMISSIONS,
    pubsub: { request: request as never },
  });
}
const ok = (result: object) => ({ kind: "ok", operationId: "k", result });

describe("a credit limit", () => {
  const given = { entityId: "entity-1", counterpartyId: "b", scope: "total", limit: 7 };
  const market = marketWith({}, ok({ credit: CREDIT }));

  test.each([["notional", "dollars"], ["mw", "MW"], ["mwh", "MWh"]])("%s is told in %s", async (limitType, unit) => {
    const { message, result } = await market.ok("mkt_set_credit_limit", { ...given, limitType });
    expect(message).toStartWith(`The total ${limitType} limit of entity-1 for b is 7 ${unit}. `);
    expect(result).toMatchObject({ limits: CREDIT["limits"], tradable: false });
  });

  test("of one contract names it, and is only sent if the contract exists", async () => {
    const scope = { limitType: "mw", scope: "per_contract" };
    const { message } = await market.ok("mkt_set_credit_limit", { ...given, ...scope, contractId: "c" });
    expect(message).toStartWith("The per_contract mw limit of entity-1 for b on c is 7 MW. ");
    expect(await market.failure("mkt_set_credit_limit", { ...given, ...scope, contractId: "d" })).toMatchObject({
      status: "rejected",
      code: "not_found",
    });
  });
});

test("a status of documents is told of each side with its own, and with the notes that are kept", async () => {
  const set = { entityId: "entity-1", counterpartyId: "b", status: "docs_in_place", notes: "Mine." };
  const { message, result } = await marketWith({}, ok({ credit: CREDIT })).ok("mkt_set_documentation_status", set);
  expect(message).toStartWith("entity-1 has set docs_in_place for b; b has set pending for entity-1. ");
  expect(result).toMatchObject({
    documentation: "docs_in_place",
    counterpartyDocumentation: "pending",
    notes: "Kept by the engine.",
  });
});

describe("a cancel", () => {
  const order = { ...ORDER, id: "o" };

  test("of an order that is no longer kept says how much was filled when it was confirmed", async () => {
    const answer = await marketWith({}, ok({ order })).ok("mkt_cancel_order", { orderId: "o" });
    expect(answer["message"]).toBe("Order o was partial when confirmed and is no longer kept: 4 of 10 MW filled.");
    expect(part(answer, "orderDetails")).toMatchObject({ id: "o", side: "SELL", filledQuantity: 4 });
  });

  test("tells of the order as it is now, not as it was when confirmed", async () => {
    const now = { ...ORDER, status: "cancelled", filledQuantity: 6 };
    const answer = await marketWith({ "/ORDER/o": now }, ok({ order })).ok("mkt_cancel_order", { orderId: "o" });
    expect(answer["message"]).toBe("Order o is cancelled: 6 of 10 MW filled.");
    expect(part(answer, "orderDetails")).toMatchObject({ status: "cancelled", filledQuantity: 6 });
  });

  test.each([["not_cancellable", "not_cancellable", true], ["forbidden", "rejected", false]])(
    "that is refused as %s is %s, and has the order's details: %p",
    async (code, status, hasDetails) => {
      const market = marketWith({ "/ORDER/o": ORDER }, { kind: "rejected", operationId: "k", code, message: "No." });
      const { value } = await market.call("mkt_cancel_order", { orderId: "o" });
      expect(value).toMatchObject({ status, orderId: "o" });
      expect(value["orderDetails"] !== null).toBe(hasDetails);
    },
  );
});

describe("a halt and a resume", () => {
  const MARKETS = { "/MARKET/power": { name: "Power" } };

  test.each(["mkt_halt_market", "mkt_resume_market"])("%s tells what the market is now", async (tool) => {
    const result = { marketId: "power", marketStatus: "closed" };
    expect(await marketWith(MARKETS, ok(result)).ok(tool, {})).toMatchObject({
      ...result,
      message: "Market power is closed.",
    });
  });

  test.each([[{ marketId: "powr" }, true], [{}, false]])(
    "of an unknown market %j names the one that was probably meant: %p",
    async (input, isNamed) => {
      const refused = { kind: "rejected", operationId: "k", code: "not_found", message: "There is no such market." };
      const { value } = await marketWith(MARKETS, refused).call("mkt_halt_market", input);
      expect(JSON.stringify(value["error"]).includes("power")).toBe(isNamed);
    },
  );
});
