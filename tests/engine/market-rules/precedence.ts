// The precedence of rejections: for each row, requests with one fault after the other.

import { expect } from "bun:test";
import { LOCKSTEP_CLOCK } from "../../../protocol/index.ts";
import type { EngineRequest } from "../../../engine/api/market-engine.ts";
import { rejected } from "../../../engine/api/outcome.ts";
import { EngineDriver } from "../support/engine-driver.ts";
import { marketWithoutCredit, SECRET, smallMarket, USERS } from "../support/market.ts";
import { CLOSE, marketAt, OPEN } from "../support/sessions.ts";
import { BUYER, connect, serveTestEngine, submission } from "../server/harness.ts";
import type { Row } from "../../support/document-tables.ts";

const { alpha, beta, operator, publisher, stranger, viewer } = USERS;
const one = { price: 5, quantity: 1 };

interface Attempt {
  readonly engine: EngineDriver;
  readonly userId: string;
  readonly payload: Record<string, unknown>;
  readonly validUntil?: string;
}

/** For each code, in the order of the document, a request with that fault and with as many later faults as possible. */
const PRECEDENCE: Readonly<Record<string, () => readonly Attempt[]>> = {
  "order.submit": () => {
    const open = new EngineDriver();
    const closed = marketAt(CLOSE);
    const over = marketAt("2026-01-20T23:00:00Z");
    const wrong = { contractId: "none", side: 0, price: 10_000_000, quantity: 0.5 };
    const bounds = { maxQuantity: 1 };
    return [
      { engine: closed, userId: viewer, payload: wrong },
      { engine: closed, userId: stranger, payload: wrong },
      { engine: closed, userId: alpha, payload: wrong },
      { engine: over, userId: alpha, payload: { ...wrong, contractId: "N-H12" } },
      { engine: over, userId: alpha, payload: { ...wrong, contractId: "N-H12", quantity: 2 } },
      { engine: over, userId: alpha, payload: { ...wrong, contractId: "N-H12", quantity: 2, price: 5, bounds } },
      { engine: closed, userId: alpha, payload: { ...wrong, contractId: "N-H12", quantity: 2, price: 5, bounds } },
      { engine: open, userId: alpha, payload: { ...wrong, contractId: "N-H12", quantity: 2, price: 5, bounds } },
    ];
  },
  "order.modify": () => {
    const closed = marketAt(OPEN);
    const ended = closed.buy(alpha, one).orderId;
    const { orderId } = closed.buy(alpha, { price: 4, quantity: 2 });
    closed.execute(alpha, "order.cancel", { orderId: ended });
    closed.advanceTo(CLOSE);
    const open = new EngineDriver();
    const working = open.buy(alpha, { price: 4, quantity: 2 }).orderId;
    const wrong = { price: 10_000_000, quantity: 0.5 };
    return [
      { engine: closed, userId: viewer, payload: { orderId: "ORD-99" } },
      { engine: closed, userId: beta, payload: { orderId: "ORD-99" } },
      { engine: closed, userId: beta, payload: { orderId: ended } },
      { engine: closed, userId: alpha, payload: { orderId: ended } },
      { engine: closed, userId: alpha, payload: { orderId: ended, ...wrong } },
      { engine: closed, userId: alpha, payload: { orderId, ...wrong } },
      { engine: open, userId: alpha, payload: { orderId: working, ...wrong } },
      { engine: open, userId: alpha, payload: { orderId: working, price: 10_000_000, quantity: 3 } },
      { engine: open, userId: alpha, payload: { orderId: working, price: 5, quantity: 3, bounds: { maxQuantity: 1 } } },
    ];
  },
  "order.cancel": () => {
    const engine = new EngineDriver();
    const { orderId } = engine.buy(alpha, one);
    engine.execute(alpha, "order.cancel", { orderId });
    return [
      { engine, userId: viewer, payload: { orderId: "ORD-99" } },
      { engine, userId: beta, payload: { orderId: "ORD-99" } },
      { engine, userId: beta, payload: { orderId } },
      { engine, userId: alpha, payload: { orderId } },
    ];
  },
  "market.halt": () => operatorsOnly({ marketId: "none" }),
  "market.resume": () => operatorsOnly({ marketId: "none" }),
  "market.flush": () => operatorsOnly({}).slice(0, 1),
  "engine.flush": () => operatorsOnly({ engineId: "none" }),
  "credit.setLimit": () => {
    const engine = new EngineDriver(marketWithoutCredit());
    const wrong = {
      entityId: "ALPHA",
      counterpartyId: "BETA",
      limitType: "mw",
      scope: "total",
      limit: 1,
      contractId: "none",
    };
    return [
      { engine, userId: viewer, payload: { ...wrong, counterpartyId: "NOBODY" } },
      { engine, userId: beta, payload: { ...wrong, counterpartyId: "NOBODY" } },
      { engine, userId: alpha, payload: { ...wrong, counterpartyId: "NOBODY" } },
      { engine, userId: alpha, payload: { ...wrong, counterpartyId: "ALPHA" } },
      { engine, userId: alpha, payload: wrong },
      { engine, userId: alpha, payload: { ...wrong, scope: "per_contract" } },
    ];
  },
  "credit.setDocumentation": () => {
    const engine = new EngineDriver();
    const payload = (counterpartyId: string) => ({ entityId: "ALPHA", counterpartyId, status: "pending" });
    return [
      { engine, userId: viewer, payload: payload("NOBODY") },
      { engine, userId: beta, payload: payload("NOBODY") },
      { engine, userId: alpha, payload: payload("NOBODY") },
      { engine, userId: alpha, payload: payload("ALPHA") },
    ];
  },
  "dev.reset": () => {
    const payload = { secret: "wrong", creditLimit: 1 };
    return [null, SECRET].map((secret) => ({
      engine: new EngineDriver(smallMarket(), secret),
      userId: viewer,
      payload,
    }));
  },
  "spot.publish": () => {
    const prices = [{ node: "none", price: 1, regime: "base", time: "2026-01-14T13:00:00Z" }];
    const engine = new EngineDriver();
    return [{ engine, userId: alpha, payload: { prices } }, { engine, userId: publisher, payload: { prices } }];
  },
  "clock.set": () => {
    const engine = inLockstep();
    return [alpha, operator].map((userId) => ({ engine, userId, payload: { speed: 2 } }));
  },
  "clock.advance": () => {
    const payload = { to: "2026-01-01T00:00:00.000Z" };
    const running = new EngineDriver();
    return [
      { engine: running, userId: alpha, payload },
      { engine: running, userId: operator, payload },
      { engine: inLockstep(), userId: operator, payload },
    ];
  },
};

function inLockstep(): EngineDriver {
  const engine = new EngineDriver();
  engine.setClock(LOCKSTEP_CLOCK);
  return engine;
}

function operatorsOnly(payload: Record<string, unknown>): Attempt[] {
  const engine = new EngineDriver();
  return [{ engine, userId: alpha, payload }, { engine, userId: operator, payload }];
}

/** A request with all faults of the row, which are mended one after the other. */
async function ofAnyRequest(row: Row): Promise<void> {
  const engine = new EngineDriver();
  const payload = { contractId: "N-H12", side: 0, ...one };
  const first: EngineRequest = { userId: alpha, operationId: "op", action: "order.submit", payload };
  engine.engine.execute(first, engine.now);
  let request: EngineRequest = {
    ...first,
    userId: "nobody",
    payload: { side: 7 },
    validUntil: "2026-01-14T12:59:59.999Z",
  };
  const code = (
    change: Partial<EngineRequest>,
    refusal: "storage_full" | "storage_missing" | "clock_jumped" | null,
  ) => {
    request = { ...request, ...change };
    const instead = refusal && rejected(refusal, "");
    return engine.engine.execute(request, engine.now, engine.now, instead).response?.code ?? "ok";
  };
  expect([
    await codeAboveTheRate(),
    code({}, "storage_full"),
    code({ payload: { ...payload, price: 6 } }, "storage_full"),
    code({ userId: alpha }, "storage_full"),
    ...(["storage_full", "storage_missing", "clock_jumped"] as const).map((refusal) =>
      code({ operationId: "another", userId: alpha }, refusal)
    ),
    code({}, null),
  ]).toEqual(row.codes(1));
  expect(code({ ...first, validUntil: "2026-01-14T12:59:59.999Z" }, "storage_full")).toBe("ok");
}

/** Of a message that is nothing but a request. */
async function codeAboveTheRate(): Promise<string | undefined> {
  const engine = serveTestEngine({ limits: { requestsPerSecond: 100 }, rateClock: () => 0 });
  const client = await connect(engine, BUYER);
  client.send(Array.from({ length: 180 }, () => ({ kind: "request", requestId: "wrong" })));
  client.send({ ...submission("above", null), action: 7 });
  expect((await client.response("wrong")).code).toBe("invalid_payload");
  return (await client.response("above")).code;
}

export const PRECEDENCE_OF_REJECTIONS = {
  any: ofAnyRequest,
  ...Object.fromEntries(
    Object.entries(PRECEDENCE).map(([action, attempts]) => [action, (row: Row) => {
      const codes = attempts().map(({ engine, userId, payload }, index) =>
        engine.send(userId, action, payload, `attempt-${index}`).outcome
      );
      expect(codes).toEqual(row.codes(1));
    }]),
  ),
};
