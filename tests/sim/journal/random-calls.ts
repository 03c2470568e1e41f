// Random calls of an engine over `smallMarket`, with sessions, deliveries and connections.

import fc from "fast-check";
import type { MarketDefinition } from "../../../sim/definition/market-definition.ts";
import type { JournalCall } from "../../../sim/journal/journal-call.ts";
import { WEEKDAYS } from "../../../sim/market/session-schedule.ts";
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
  ...steps,
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

const request = fc.record({
  kind: fc.constant("execute" as const),
  userId,
  /** Few enough ids for repeats and conflicts. */
  operationId: fc.integer({ min: 1, max: 400 }).map((number) => `operation-${number}`),
  content: fc.oneof(
    { weight: 30, arbitrary: submission },
    { weight: 5, arbitrary: change },
    { weight: 5, arbitrary: orderId.map((id) => ({ action: "order.cancel", payload: { orderId: id } })) },
    { weight: 3, arbitrary: limit },
    { weight: 3, arbitrary: documents },
    { weight: 2, arbitrary: other },
  ),
  cancelOnDisconnect: fc.boolean(),
}).map(({ content, ...rest }) => ({ ...rest, ...content }));

const untimed = fc.oneof(
  { weight: 30, arbitrary: request },
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

/** Calls with increasing times, sometimes hours apart. */
export function randomCalls(minLength: number, maxLength: number): fc.Arbitrary<JournalCall[]> {
  const waitMinutes = fc.oneof(
    { weight: 20, arbitrary: fc.constant(0) },
    { weight: 4, arbitrary: fc.integer({ min: 1, max: 30 }) },
    { weight: 1, arbitrary: fc.integer({ min: 60, max: 900 }) },
  );
  return fc.array(fc.tuple(untimed, waitMinutes), { minLength, maxLength, size: "max" }).map((calls) => {
    let now = START;
    return calls.map(([call, minutes]) => ({ ...call, now: now += minutes * 60_000 }));
  });
}

/** `smallMarket` with sessions and scarce credit. */
export function randomMarket(): MarketDefinition {
  const definition = smallMarket();
  const schedule = { days: [...WEEKDAYS], preopen: "00:05", open: "00:10", close: "23:55" };
  return {
    ...definition,
    markets: definition.markets.map((market) => ({ ...market, schedule })),
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
