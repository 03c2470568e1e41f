// What an engine answers to its callers beside requests, and what it does in place of a request.

import { describe, expect, test } from "bun:test";
import type { EngineRequest } from "../../engine/api/market-engine.ts";
import { rejected } from "../../engine/api/outcome.ts";
import { Engine } from "../../engine/engine.ts";
import { EngineDriver } from "./support/engine-driver.ts";
import { EPOCH, SECRET, smallMarket, START, USERS } from "./support/market.ts";

const { alpha, beta, operator } = USERS;
const DAY_MS = 86_400_000;
const BUSY = rejected("rate_limited", "Too many.");

function newEngine(): Engine {
  return new Engine(smallMarket(), { epoch: EPOCH, now: START, engineId: "test", secret: SECRET });
}

function request(operationId: string, price = 5): EngineRequest {
  const payload = { contractId: "N-H12", side: 0, price, quantity: 1 };
  return { userId: alpha, operationId, action: "order.submit", payload };
}

describe("a request that is to be rejected in any case", () => {
  test("is rejected as told and leaves nothing, so it may be sent again", () => {
    const engine = newEngine();
    const { sequence } = engine;
    const refused = engine.execute(request("a"), START, START, BUSY);
    expect(refused).toMatchObject({ messages: [], audit: "", trace: null, response: { code: "rate_limited" } });
    expect([engine.sequence, engine.figures.acceptedOrders]).toEqual([sequence, 0]);
    expect(engine.execute(request("a"), START).response?.status).toBe("ok");
  });

  test("gets its first answer if it is a repeat, and is told of what else is wrong with it", () => {
    const engine = newEngine();
    const first = engine.execute(request("a"), START).response;
    const codeOf = (sent: EngineRequest) => engine.execute(sent, START, START, BUSY).response?.code;
    expect(JSON.stringify(engine.execute(request("a"), START, START, BUSY).response)).toBe(JSON.stringify(first));
    expect(codeOf(request("a", 6))).toBe("operation_conflict");
    expect(codeOf({ ...request("b"), payload: {} })).toBe("invalid_payload");
    expect(codeOf({ ...request("b"), userId: "nobody" })).toBe("forbidden");
  });
});

test("the orders of a connection that ends are cancelled if they are open: working, partly filled or held", () => {
  const engine = new EngineDriver();
  const filled = engine.buy(alpha, { price: 9, quantity: 1 }).orderId;
  engine.sell(beta, { price: 9, quantity: 1 });
  const partial = engine.buy(alpha, { price: 8, quantity: 2 }).orderId;
  engine.sell(beta, { price: 8, quantity: 1 });
  const working = engine.buy(alpha, { price: 5, quantity: 1 }).orderId;
  const kept = engine.buy(alpha, { price: 4, quantity: 1 }).orderId;
  engine.execute(operator, "market.halt", {});
  const held = engine.buy(alpha, { price: 5, quantity: 1 }).orderId;
  const ended = engine.cancelDisconnected([filled, "ORD-99", held, partial, "", working, working]);
  expect(
    ended.events.filter(({ type }) => type === "cancel.order").map(({ data }) => [data["id"], data["closeReason"]]),
  )
    .toEqual([[held, "disconnected"], [partial, "disconnected"], [working, "disconnected"]]);
  expect([engine.order(kept).closeReason, engine.order(filled).closeReason]).toEqual([null, "filled"]);
  expect(ended.execution.response).toBeNull();
});

test("what is asked as of an earlier time is told as of the present market time", () => {
  const engine = newEngine();
  engine.advance(START + 5_000);
  const timeOf = (now: number) => {
    const [market] = engine.snapshot(now);
    return [engine.positions("ALPHA", now)?.asOf, JSON.parse(market!.text).state.currentTime];
  };
  const [present, later] = [START + 5_000, START + 6_000].map((time) => new Date(time).toISOString());
  expect([timeOf(START), timeOf(START + 6_000)]).toEqual([[present, present], [later, later]]);
});

test("what there is not has no answer: another user, book, entity or order", () => {
  const engine = newEngine();
  const viewer = engine.user(alpha)!;
  expect([engine.user("nobody"), engine.bookState("NONE"), engine.positions("NONE", START)])
    .toEqual([undefined, null, undefined]);
  expect([engine.explainOrder("ORD-1", viewer), viewer.entityId]).toEqual([null, "ALPHA"]);
  expect(JSON.parse(engine.bookState("S-PK")!.text)).toMatchObject({ statePath: "/ENGINE/ENG-S-PK" });
});

describe("the memory of operations", () => {
  test("keeps one on which the engine failed, whatever it was, and as long as one that was accepted", () => {
    const engine = newEngine();
    engine.recallFailure(request("bad"), START);
    for (let count = 0; count <= 1_000; count++) {
      engine.execute({ ...request(`refused-${count}`), payload: { orderId: "ORD-9" }, action: "order.cancel" }, START);
    }
    for (const sent of [request("bad"), request("bad", 7)]) {
      const { response } = engine.execute(sent, START + DAY_MS - 1);
      expect([response?.status, response?.code]).toEqual(["error", "internal"]);
      expect(response?.message).toContain("order.submit");
    }
    expect(engine.execute(request("bad"), START + DAY_MS).response?.status).toBe("ok");
  });

  test("is given from a time on, and never with what is older than a day", () => {
    const engine = newEngine();
    const idsSince = (since: number) => {
      const parts = [...engine.checkpoint(), ...engine.rememberedOperations(since)];
      const copy = Engine.restore(smallMarket(), JSON.parse(JSON.stringify(parts)), {
        ...{ epoch: EPOCH, now: START, engineId: "test", secret: SECRET },
      });
      return ["a", "b", "c"].filter((id) => {
        const before = copy.figures.acceptedOrders;
        copy.execute(request(id), engine.now, engine.realNow);
        return copy.figures.acceptedOrders === before;
      });
    };
    for (const [at, id] of ["a", "b", "c"].entries()) engine.execute(request(id), START + at, START + at * 1_000);
    expect([idsSince(0), idsSince(START + 1_000), idsSince(START + 1_001), idsSince(START + 2_001)])
      .toEqual([["a", "b", "c"], ["b", "c"], ["c"], []]);
    engine.advance(START + 3, START + DAY_MS + 1_000);
    expect(JSON.stringify([...engine.rememberedOperations(0)]))
      .toBe(JSON.stringify([...engine.rememberedOperations(START + 1_000)]));
    expect(JSON.stringify([...engine.rememberedOperations(0)]))
      .not.toBe(JSON.stringify([...engine.rememberedOperations(START + 1_001)]));
  });
});
