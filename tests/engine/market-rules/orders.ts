// What an order may do in each status of its market, what operationId compares, and who sees what.

import { expect } from "bun:test";
import { ACTIONS, PERMISSIONS } from "../../../protocol/index.ts";
import { MODULE_TYPES } from "../../../protocol/modules/registry.ts";
import type { EngineRequest } from "../../../engine/api/market-engine.ts";
import type { MarketDefinition } from "../../../engine/definition/market-definition.ts";
import type { Row } from "../../support/document-tables.ts";
import { maySeeMessage } from "../../support/executions.ts";
import { EngineDriver } from "../support/engine-driver.ts";
import { smallMarket, USERS } from "../support/market.ts";
import { CLOSE, marketAt, NEXT_PREOPEN, OPEN } from "../support/sessions.ts";

const { alpha, beta, operator } = USERS;
const BID = { price: 5, quantity: 2 };

/** Two bids of ALPHA, the second of which changes, in a market of the status; and whether the first one is then first. */
function ofStatus(status: string) {
  const engine = marketAt(OPEN);
  const enter: Readonly<Record<string, () => unknown>> = {
    open: () => {},
    halted: () => engine.execute(operator, "market.halt", {}),
    preopen: () => [CLOSE, NEXT_PREOPEN].map((time) => engine.advanceTo(time)),
    closed: () => engine.advanceTo(CLOSE),
  };
  const isHeld = status === "preopen" || status === "halted";
  if (isHeld) enter[status]?.();
  const [first, second] = [engine.buy(alpha, BID), engine.buy(alpha, BID)].map(({ orderId }) => orderId);
  if (!isHeld) enter[status]?.();
  const queue = () => engine.module("QUEUE", "QUE-N-H12").orderIds;
  return { engine, first: first ?? "", second: second ?? "", queue };
}

/** The cells of the row, as the engine behaves. */
function orderRow(row: Row): void {
  const { name: status, cells } = row;
  const [, submitted, lowered, changed, cancelled] = cells;
  const { engine, first, second, queue } = ofStatus(status);
  const submission = engine.buy(alpha, BID);
  if (status === "closed") {
    const refused = "rejected, `market_closed`";
    expect([submitted, lowered, changed, cancelled]).toEqual([refused, refused, refused, "yes"]);
    const changes = [{ quantity: 1 }, { price: 4 }].map((terms) =>
      engine.execute(alpha, "order.modify", { orderId: first, ...terms }).outcome
    );
    expect([submission.outcome, ...changes]).toEqual(Array(3).fill("market_closed"));
    expect(engine.execute(alpha, "order.cancel", { orderId: first }).outcome).toBe("ok");
    return;
  }
  const isOpen = status === "open";
  expect([submitted, lowered, cancelled]).toEqual([
    isOpen ? "matched, the rest works" : "`held`",
    "keeps its place",
    "yes",
  ]);
  expect(changed).toBe(
    isOpen ? "loses its place: it counts as arriving now" : "loses its place: `held` behind all others",
  );
  expect(submission.order.status).toBe(isOpen ? "working" : "held");
  const filledFirst = () => {
    engine.sell(beta, { price: 1, quantity: 1 });
    return engine.all("FILL").findLast(({ entityId }) => entityId === "ALPHA")?.orderId;
  };
  const next = () => isOpen ? filledFirst() : queue()[0];
  engine.execute(alpha, "order.modify", { orderId: first, quantity: 1 });
  expect(next()).toBe(first);
  engine.execute(alpha, "order.modify", { orderId: second, quantity: 3 });
  expect(next()).toBe(isOpen ? submission.orderId : first);
  if (!isOpen) expect(queue()).toEqual([first, submission.orderId, second]);
  expect(engine.execute(alpha, "order.cancel", { orderId: second }).outcome).toBe("ok");
}

export const ORDERS = { open: orderRow, preopen: orderRow, halted: orderRow, closed: orderRow };

const SUBMISSION: EngineRequest = {
  userId: alpha,
  operationId: "op",
  action: "order.submit",
  payload: { contractId: "N-H12", side: 0, price: 5, quantity: 1 },
};

/** Checks the answers to requests that follow the first one, each on an engine of its own. */
const after = (first: EngineRequest, ...later: Partial<EngineRequest>[]) => (row: Row) => {
  for (const change of later) {
    const { engine, now } = new EngineDriver();
    const answer = engine.execute(first, now).response;
    expect(answer?.status).toBe("ok");
    const { response, messages } = engine.execute({ ...first, ...change }, now);
    if (row.cells[1] === "the first answer") expect(response).toEqual(answer);
    else if (row.cells[1] === "carried out by itself") {
      expect([response?.status, response?.order === answer?.order]).toEqual(["ok", false]);
    } else expect(row.codes(1)).toEqual([response?.code ?? ""]);
    if (row.cells[1] !== "carried out by itself") expect(messages).toEqual([]);
  }
};

const payloadOf = (change: object) => ({ payload: { ...SUBMISSION.payload as object, ...change } });
const HALT: EngineRequest = { userId: operator, operationId: "op", action: "market.halt", payload: {} };
const RESET = { secret: "a secret for tests", creditLimit: 5 };
const LIMIT = { entityId: "ALPHA", counterpartyId: "BETA", limitType: "mw", scope: "total", limit: 5 };

/** For each field with a default: a request without it. */
const DEFAULTS: Readonly<Record<string, EngineRequest>> = {
  "order.submit timeInForce": SUBMISSION,
  "credit.setLimit marginPercent": { ...SUBMISSION, action: "credit.setLimit", payload: LIMIT },
  "engine.flush preview": { ...HALT, action: "engine.flush", payload: { engineId: "ENG-N-H12" } },
  "market.flush preview": { ...HALT, action: "market.flush", payload: {} },
  "dev.reset skipCredit": { ...HALT, action: "dev.reset", payload: RESET },
  "dev.reset skipDocs": { ...HALT, action: "dev.reset", payload: RESET },
};

function defaultsCount(row: Row): void {
  const withDefault = Object.entries(ACTIONS).flatMap(([action, { payload }]) =>
    Object.entries(payload.shape).flatMap(([field, schema]) => {
      const parsed = schema.safeParse(undefined);
      const name: string = `${action} ${field}`;
      return parsed.success && parsed.data !== undefined ? [[name, parsed.data] as const] : [];
    })
  );
  expect(withDefault.map(([name]) => name)).toEqual(Object.keys(DEFAULTS));
  for (const [name, value] of withDefault) {
    const absent = DEFAULTS[name] ?? SUBMISSION;
    const given = { ...absent.payload as object, [name.split(" ")[1] ?? ""]: value };
    after(absent, { payload: given })(row);
    after({ ...absent, payload: given }, { payload: absent.payload })(row);
  }
}

export const OPERATION_CONTENT = {
  "none": after(SUBMISSION, {}),
  "requestId, validUntil or the trace context": after(SUBMISSION, { validUntil: "2020-01-01T00:00:00Z" }),
  "bounds": after(SUBMISSION, payloadOf({ bounds: { maxQuantity: 0 } })),
  "order of fields, unknown fields": after(
    SUBMISSION,
    { payload: Object.fromEntries(Object.entries(SUBMISSION.payload as object).toReversed()) },
    payloadOf({ colour: "blue" }),
  ),
  "a field with a default in [the table of actions](backend-protocol.md#actions) is left out, or has its default":
    defaultsCount,
  "clientOrderId is left out, or is the operationId": after(SUBMISSION, payloadOf({ clientOrderId: "op" })),
  "marketId is left out, or is the first market": after(HALT, { payload: { marketId: "M1" } }),
  "another action": after(SUBMISSION, { action: "order.cancel", payload: { orderId: "ORD-1" } }),
  "another value of any other field": after(
    SUBMISSION,
    ...[
      { contractId: "S-PK" },
      { side: 1 },
      { price: 6 },
      { quantity: 2 },
      { timeInForce: "day" },
    ].map(payloadOf),
  ),
  "another user": after(SUBMISSION, { userId: beta }),
};

/** The small market, with a user of ALPHA for each permission who holds nothing else, and one who holds none. */
export function withSinglePermissions(): MarketDefinition {
  const market = smallMarket();
  const users = ["none", ...PERMISSIONS].map((name): MarketDefinition["users"][number] => ({
    id: name,
    name,
    entityId: "ALPHA",
    permissions: PERMISSIONS.filter((permission) => permission === name),
  }));
  return { ...market, users: [...market.users, ...users] };
}

/** The types of modules of which a user sees those of others, and all types of which the user sees any. */
function seen(userId: string) {
  const engine = new EngineDriver(withSinglePermissions());
  engine.sell(beta, BID);
  engine.buy(USERS.gamma, BID);
  engine.buy(alpha, BID);
  engine.sell(beta, BID);
  const user = engine.engine.user(userId) ?? expect.unreachable();
  const messages = [...engine.engine.snapshot(engine.now)].map(({ text }) => JSON.parse(text));
  const visible = messages.filter((message) => maySeeMessage(user, message));
  const typesOf = (some: readonly { statePath: string }[]) =>
    new Set(some.map(({ statePath }) => statePath.split("/")[1] ?? ""));
  const hidden = typesOf(messages.filter((message) => !visible.includes(message)));
  return { any: typesOf(visible), all: MODULE_TYPES.filter((type) => !hidden.has(type)) };
}

const PUBLIC = ["MARKET", "PRODUCT", "CONTRACT", "ENGINE", "QUEUE"];

/** Compares with the row's list the types that the user sees wholly. */
const whole = (expected: (row: Row) => readonly string[], user: string) => (row: Row) => {
  expect<string[]>(seen(user).all.toSorted()).toEqual([...PUBLIC, ...expected(row)].toSorted());
};
const typesIn = (row: Row) => MODULE_TYPES.filter((type) => new RegExp(`\\b${type}\\b`).test(row.cells[1] ?? ""));

export const WHO_SEES_WHAT = {
  "none": (row: Row) => {
    whole(() => [], "none")(row);
    expect([...seen("none").any].toSorted()).toEqual(typesIn(row).toSorted());
  },
  "Credit.View": (row: Row) => {
    whole(() => [], "Credit.View")(row);
    expect(seen("Credit.View")).toEqual(seen("none"));
  },
  "Market.View": whole(typesIn, "Market.View"),
  "Scope.Global": whole(typesIn, "Scope.Global"),
};
