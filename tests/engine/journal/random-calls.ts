// Random calls of an engine over `smallMarket`, with sessions, deliveries, spot prices and connections.

import fc from "fast-check";
import type { MarketDefinition } from "../../../engine/definition/market-definition.ts";
import type { JournalCall } from "../../../engine/journal/journal-call.ts";
import { WEEKDAYS } from "../../../engine/market/session-schedule.ts";
import { SECRET, smallMarket, START, USERS } from "../support/market.ts";

const ENTITIES = ["ALPHA", "BETA", "GAMMA"] as const;
const userId = fc.constantFrom(USERS.alpha, USERS.beta, USERS.gamma, USERS.blind, USERS.operator, "nobody");
const orderId = fc.integer({ min: 1, max: 60 }).map((number) => `ORD-${number}`);
const contractId = fc.constantFrom("N-H12", "S-PK");
const steps = { price: fc.integer({ min: -2, max: 3 }), quantity: fc.integer({ min: 1, max: 6 }) };
const pair = fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 2 })).map(([entity, further]) => ({
  entityId: ENTITIES[entity] ?? "ALPHA",
  counterpartyId: ENTITIES[(entity + further) % 3] ?? "BETA",
}));

const submission = fc.record({
  contractId,
  side: fc.constantFrom(0, 1),
  timeInForce: fc.constantFrom("gtc", "day"),
  clientOrderId: fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, fc.constantFrom("mine", "ORD-1", "")),
  price: steps.price,
  // 0.3 is no multiple of a lot.
  quantity: fc.oneof({ weight: 9, arbitrary: steps.quantity }, fc.constant(0.3)),
}).map((terms) => ({ action: "order.submit", payload: scaled(terms) }));
const change = fc.record({ orderId, contractId, ...steps })
  .map(({ contractId: _, ...terms }) => ({ action: "order.modify", payload: terms }));
const limit = fc.record({
  pair,
  terms: fc.record({
    limitType: fc.constantFrom("notional", "mw", "mwh"),
    contractId: fc.option(contractId, { nil: undefined }),
    limit: fc.constantFrom(0, 2.5, 8, 20, 60, 200),
    marginPercent: fc.constantFrom(100, 12.5, 0),
  }),
}).map(({ pair, terms }) => ({
  action: "credit.setLimit",
  payload: { ...pair, ...terms, scope: terms.contractId === undefined ? "total" : "per_contract" },
}));
const documents = fc.record({
  pair,
  status: fc.constantFrom("docs_in_place", "docs_in_place", "no_docs"),
  notes: fc.option(fc.string(), { nil: undefined }),
}).map(({ pair, ...rest }) => ({ action: "credit.setDocumentation", payload: { ...pair, ...rest } }));
const other = fc.constantFrom(
  { action: "market.halt", payload: { reason: "a test" } },
  { action: "market.resume", payload: {} },
  { action: "market.resume", payload: {} },
  { action: "engine.flush", payload: { engineId: "ENG-N-H12" } },
  { action: "market.flush", payload: {} },
  { action: "dev.reset", payload: { secret: SECRET, creditLimit: 15 } },
  { action: "spot.publish", payload: {} },
  { action: "nothing", payload: null },
);

/** Few enough ids for repeats and conflicts. */
const operationId = fc.integer({ min: 1, max: 400 }).map((number) => `operation-${number}`);

const request = fc.record({
  kind: fc.constant("execute" as const),
  userId,
  operationId,
  content: fc.oneof(
    { weight: 30, arbitrary: submission },
    { weight: 5, arbitrary: change },
    { weight: 5, arbitrary: orderId.map((id) => ({ action: "order.cancel", payload: { orderId: id } })) },
    { weight: 3, arbitrary: limit },
    { weight: 3, arbitrary: documents },
    { weight: 2, arbitrary: other },
  ),
  cancelOnDisconnect: fc.boolean(),
  validForMs: fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, fc.constantFrom(-1, 0, 60_000)),
}).map(({ content, ...rest }) => ({ ...rest, ...content }));

const spotPrices = fc.record({
  kind: fc.constant("execute" as const),
  userId: fc.constant(USERS.publisher),
  operationId,
  action: fc.constant("spot.publish"),
  payload: fc.record({ node: fc.constantFrom("NORTH", "SOUTH"), price: fc.integer({ min: -5, max: 9 }) })
    .map((spot) => ({ prices: [{ ...spot, regime: "base", time: new Date(START).toISOString() }] })),
  cancelOnDisconnect: fc.constant(false),
});

const untimed = fc.oneof(
  { weight: 30, arbitrary: request },
  { weight: 4, arbitrary: spotPrices },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("advance" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("setConnected" as const),
      userId: fc.constantFrom(USERS.alpha, USERS.beta),
      connected: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("cancelDisconnected" as const),
      orderIds: fc.array(orderId, { maxLength: 5 }),
    }),
  },
);

type Untimed = typeof untimed extends fc.Arbitrary<infer Call> ? Call : never;

/** Calls with increasing times, sometimes hours apart. */
export function randomCalls(minLength: number, maxLength: number): fc.Arbitrary<JournalCall[]> {
  const waitMinutes = fc.oneof(
    { weight: 20, arbitrary: fc.constant(0) },
    { weight: 4, arbitrary: fc.integer({ min: 1, max: 30 }) },
    { weight: 1, arbitrary: fc.integer({ min: 60, max: 900 }) },
  );
  return fc.array(fc.tuple(untimed, waitMinutes), { minLength, maxLength, size: "max" }).map((calls) => {
    let now = START;
    return calls.map(([call, minutes]) => timed(call, now += minutes * 60_000));
  });
}

/** A request that is valid for a limited time gets `validUntil`. */
function timed(call: Untimed, now: number): JournalCall {
  if (!("validForMs" in call) || call.validForMs === null) return { ...call, now };
  return { ...call, validUntil: new Date(now + call.validForMs).toISOString(), now };
}

/** When each contract delivers in `randomMarket`: one leaves the market in most runs, the other in some. */
const DELIVERIES: Readonly<Record<string, { deliveryStart: string; deliveryEnd: string }>> = {
  "N-H12": { deliveryStart: "2026-01-14T20:00:00Z", deliveryEnd: "2026-01-14T23:00:00Z" },
  "S-PK": { deliveryStart: "2026-01-15T20:00:00Z", deliveryEnd: "2026-01-16T12:00:00Z" },
};

/** `smallMarket` with sessions, scarce credit and near deliveries. */
export function randomMarket(): MarketDefinition {
  const definition = smallMarket();
  const schedule = { days: [...WEEKDAYS], preopen: "00:05", open: "00:10", close: "23:55" };
  return {
    ...definition,
    markets: definition.markets.map((market) => ({ ...market, schedule, keepDeliveredHours: 4 })),
    contracts: definition.contracts.map((contract) => ({ ...contract, ...DELIVERIES[contract.id] })),
    creditDefaults: {
      limits: [{ limitType: "notional", scope: "total", limit: 20, marginPercent: 100 }],
      documentation: "docs_in_place",
    },
  };
}

/** Converts steps of the contract's tick and lot to cents and MW. */
function scaled<Terms extends { contractId: string; price: number; quantity: number }>(terms: Terms): Terms {
  return terms.contractId === "S-PK" ? { ...terms, price: terms.price * 5, quantity: terms.quantity / 2 } : terms;
}
