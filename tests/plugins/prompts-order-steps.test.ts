// The steps of the prompts about an order lead to the facts that their reports need: an agent without a model follows them with
// real calls on a market in a known state.

import { beforeEach, describe, expect, test } from "bun:test";
import { list, part, type Value } from "./support/desk.ts";
import { BASE } from "./support/market.ts";
import {
  AGENTS,
  eventsIn,
  findsOf,
  followed,
  idOf,
  LIMIT,
  PromptMarket,
  reasonsOf,
  seenBy,
} from "./support/prompt-market.ts";

const market = await PromptMarket.open();
const { alice, anna, bob, greta, olga } = market;
beforeEach(() => market.restore());

describe.each(AGENTS)("an agent that is %s", (how, isCold) => {
  describe("finds why an order doesn't trade", () => {
    const explained = async (userId: "alice" | "bob" | "olga", orderId: string) =>
      await followed(await market.seatOf(userId, isCold), "mkt_explain_order", { orderId });

    test("its price", async () => {
      await bob.sell(BASE, 200, 5);
      const orderId = await idOf(alice.buy(BASE, 150, 5));
      const follower = await explained("alice", orderId);
      expect(follower.answer("mkt_get_order")).toMatchObject({
        id: orderId,
        price: 150,
        status: "working",
        blockedBy: [],
      });
      expect(follower.answer("mkt_get_market_state")).toMatchObject({ status: "open" });
      expect(list(follower.answer("mkt_get_order_book"), "asks")[0]).toMatchObject({ price: 200, volume: 5 });
      expect(follower.leftOut.map(({ tool }) => tool)).toEqual(["mkt_get_extended_credit"]);
      expect(follower.failures).toEqual([]);
    });

    test("documents, and that its entity grants no credit", async () => {
      await greta.sell(BASE, 200, 5);
      const orderId = await idOf(alice.buy(BASE, 300, 5));
      const follower = await explained("alice", orderId);
      expect(reasonsOf(follower.answer("mkt_get_order")))
        .toEqual(["entity_documents", "counterparty_documents", "entity_no_limit"]);
      expect(follower.answer("mkt_get_order_book")["spread"]).toBe(-100);
      expect(
        follower.calls.filter(({ tool }) => tool === "mkt_get_extended_credit").map(({ parameters }) => parameters),
      )
        .toEqual([{ entityId: "alpha", counterpartyId: "gamma" }]);
    });

    test("a limit, with its figures for the entity that grants it", async () => {
      await bob.ok("mkt_set_credit_limit", { ...LIMIT, limit: 0.5 });
      await alice.sell(BASE, 200, 5);
      const orderId = await idOf(bob.buy(BASE, 300, 5));
      const follower = await explained("bob", orderId);
      expect(list(follower.answer("mkt_get_order"), "blockedBy")[0]).toMatchObject({
        reason: "entity_limit",
        limit: 0.5,
        needed: 1,
        unit: "MW",
      });
      const { mw } = part(follower.answer("mkt_get_extended_credit"), "limits") as { mw: Value[] };
      expect(mw[0]).toMatchObject({ scope: "per_contract", contractId: BASE, limit: 0.5 });
    });

    test("a limit of the other side, without its figures", async () => {
      await bob.ok("mkt_set_credit_limit", { ...LIMIT, limit: 0.5 });
      await bob.sell(BASE, 200, 5);
      const orderId = await idOf(alice.buy(BASE, 300, 5));
      const follower = await explained("alice", orderId);
      expect(reasonsOf(follower.answer("mkt_get_order"))).toEqual(["counterparty_limit"]);
      expect(follower.answer("mkt_get_extended_credit")).toMatchObject({ counterpartyId: "beta", reason: null });
    });

    test("a halt", async () => {
      await olga.ok("mkt_halt_market", { reason: "a drill" });
      const orderId = await idOf(alice.buy(BASE, 150, 5));
      const follower = await explained("alice", orderId);
      expect(follower.answer("mkt_get_order")).toMatchObject({ status: "held" });
      expect(follower.answer("mkt_get_market_state")).toMatchObject({ status: "halted", haltReason: "a drill" });
    });

    test("orders of its own entity, also of another user", async () => {
      await anna.sell(BASE, 200, 5);
      const orderId = await idOf(alice.buy(BASE, 300, 5));
      const follower = await explained("alice", orderId);
      expect(reasonsOf(follower.answer("mkt_get_order"))).toEqual(["self_trade"]);
      expect(list(follower.answer("mkt_find_modules"), "modules"))
        .toContainEqual(expect.objectContaining({ userId: "anna", side: "SELL", price: 200, remainingQuantity: 5 }));
    });

    test("that it is closed", async () => {
      const orderId = await idOf(alice.buy(BASE, 150, 5));
      await alice.ok("mkt_cancel_order", { orderId });
      const follower = await explained("alice", orderId);
      expect(follower.answer("mkt_get_order")).toMatchObject({ status: "cancelled", closeReason: "cancelled" });
    });

    test("an operator finds it for another's order", async () => {
      await greta.sell(BASE, 200, 5);
      const orderId = await idOf(alice.buy(BASE, 300, 5));
      await seenBy(olga, "ORDER", orderId, "working");
      const follower = await explained("olga", orderId);
      expect(reasonsOf(follower.answer("mkt_get_order"))).toContain("entity_documents");
      expect(follower.calls.find(({ tool }) => tool === "mkt_get_extended_credit")?.parameters["entityId"]).toBe(
        "alpha",
      );
    });
  });

  describe("tells the story of an order", () => {
    /** Partly filled, held by a halt that others see, and cancelled. */
    async function eventfulOrder(): Promise<string> {
      const orderId = await idOf(alice.buy(BASE, 300, 10));
      await bob.sell(BASE, 280, 4);
      await olga.ok("mkt_halt_market", { reason: "a drill" });
      await olga.ok("mkt_resume_market");
      await alice.ok("mkt_cancel_order", { orderId });
      await seenBy(olga, "ORDER", orderId, "cancelled");
      return orderId;
    }

    const EVENTS = ["orderCancelled", "orderFilled", "orderQueued"];

    test.each(
      [["alice", "mkt_get_audit_log"], ["olga", "mkt_get_order_events"]] as const,
    )("as %s sees it, with %s", async (userId, tool) => {
      const orderId = await eventfulOrder();
      const seat = await market.seatOf(userId, isCold);
      const follower = await followed(seat, "mkt_investigate_order", { orderId });
      expect(follower.answer("mkt_get_order")).toMatchObject({
        status: "cancelled",
        filledQuantity: 4,
        closeReason: "cancelled",
      });
      expect(list(follower.answer("mkt_list_fills"), "fills"))
        .toEqual([expect.objectContaining({ price: 300, quantity: 4, counterpartyId: "beta" })]);
      const history = follower.answer(tool, ({ moduleType }) => moduleType !== "MARKET");
      expect(eventsIn(history)).toEqual(EVENTS);
      const ofMarket = eventsIn(follower.answer("mkt_get_audit_log", findsOf("MARKET")));
      expect(ofMarket.slice(0, 2)).toEqual(["marketResumed", "marketHalted"]);
      const trades = list(follower.answer("mkt_find_modules", findsOf("TRADE")), "modules");
      expect(trades).toContainEqual(expect.objectContaining({ buyOrderId: orderId, price: 300, quantity: 4 }));
    });

    test("also if it was refused", async () => {
      const key = how.replace(" ", "-");
      await alice.failure("mkt_create_test_order", {
        contractId: BASE,
        side: "BUY",
        price: 10,
        quantity: 0.5,
        idempotencyKey: key,
      });
      const orderId = `refused:alice:${key}`;
      const follower = await followed(await market.seatOf("olga", isCold), "mkt_investigate_order", { orderId });
      expect(eventsIn(follower.answer("mkt_get_order_events"))).toEqual(["orderRejected"]);
      const asTrader = await followed(await market.seatOf("alice", isCold), "mkt_investigate_order", { orderId });
      expect(eventsIn(asTrader.answer("mkt_get_audit_log"))).toEqual(["orderRejected"]);
    });
  });
});
