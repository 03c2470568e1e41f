// The types of web/contract/tool-results.ts hold for the results of the real tools: each schema is declared to be that of its
// type, so the compiler compares the two, and the test compares schema and result.

import { beforeAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { createRuntime } from "../../core/runtime.ts";
import type * as results from "../../web/contract/tool-results.ts";
import { orderBlocksResponse } from "../../protocol/http.ts";
import { CLOSE_REASONS, ORDER_STATUSES } from "../../protocol/modules/registry.ts";
import { PERSONA_STATES, SIMULATION_STATUSES } from "../../protocol/simulator.ts";
import { configurationFor } from "../core/support/services.ts";
import { Desk, Seat, text } from "../plugins/support/desk.ts";
import { BASE } from "../plugins/support/market.ts";
import { PROGRAM } from "../plugins/support/packs.ts";
import { ScriptedSimulator } from "../plugins/support/scripted-simulator.ts";

const time = z.iso.datetime();
const number = z.number();
const page = { count: number, total: number, cursor: z.string().nullable() };

const levels = z.array(z.object({ price: number, volume: number, orderCount: number }));
const orderBook: z.ZodType<results.OrderBookResult> = z.object({
  contractId: z.string(),
  bids: levels,
  asks: levels,
  lastPrice: number.nullable(),
  lastUpdate: time,
  note: z.string().optional(),
});

const point = { time, price: number, regime: z.string() };
const spot: z.ZodType<results.SpotResult> = z.object({
  status: z.enum(SIMULATION_STATUSES),
  congested: z.boolean(),
  nodes: z.array(z.object({ node: z.string(), ...point, history: z.array(z.object(point)) })).min(1),
  events: z.array(z.object({
    id: z.string(),
    type: z.string(),
    node: z.string().nullable(),
    size: number,
    startedAt: time,
    endsAt: time,
    remaining: number,
  })).min(1),
});

const [id, name, code] = [z.string(), z.string(), z.string()];
const entityShape = { id, name, code, userIds: z.array(z.string()), creditStatus: z.enum(["ok", "exhausted", "none"]) };
const entity: z.ZodType<results.EntityRow> = z.object(entityShape);

const profits = {
  cash: number,
  realisedProfit: number,
  unrealisedProfit: number,
  profit: number,
  creditUsed: number.nullable(),
};
const { creditUsed: _, ...earned } = profits;
const daySums: z.ZodType<results.DaySumsResult> = z.object({
  total: number,
  sums: z.array(z.object({ day: z.string(), contracts: number, netEnergy: number, ...earned })).min(1),
  note: z.string().optional(),
});
const positions: z.ZodType<results.PositionsResult> = z.object({
  ...entityShape,
  ...page,
  asOf: time,
  positions: z.array(z.object({
    contractId: z.string(),
    node: z.string().optional(),
    netQuantity: number,
    netEnergy: number,
    boughtQuantity: number,
    soldQuantity: number,
    averagePrice: number.nullable(),
    mark: number,
    markSource: z.enum(["book", "trade", "spot"]),
    ...profits,
  })).min(1),
  totals: z.object({
    netQuantity: number.nullable(),
    netEnergy: number,
    settled: z.object({ contracts: number, profit: number }),
    ...profits,
  }),
  note: z.string().optional(),
});

const totals = { orders: number, cancels: number, rejected: number, trades: number, volumeMw: number };
const counted = { orders: number, workingOrders: number, trades: number, profitAndLoss: number };
const simulation: z.ZodType<results.SimulationResult> = z.object({
  ...page,
  status: z.enum(SIMULATION_STATUSES),
  preset: z.string().nullable(),
  seed: number.nullable(),
  speed: number.nullable(),
  marketTime: time.nullable().optional(),
  startedAt: time.nullable(),
  simulatedTime: time.nullable(),
  failure: z.string().optional(),
  nothingToTrade: z.string().optional(),
  totals: z.object({ personas: number, connected: number, workingOrders: number, ...totals }),
  metrics: z.record(z.string(), number.nullable()),
  reasons: z.record(z.string(), z.string()).optional(),
  strategies: z.array(z.object({ strategy: z.string(), personas: number, ...counted })).min(1),
  personas: z.array(z.object({
    id: z.string(),
    strategy: z.string(),
    entityId: z.string(),
    ...counted,
    state: z.enum(PERSONA_STATES).optional(),
    volumeMw: number.optional(),
    rejected: number.optional(),
    fault: z.string().optional(),
    stoppedUntil: time.nullable().optional(),
  })).min(1),
});

const order: z.ZodType<results.OrderResult> = z.object({
  id: z.string(),
  clientOrderId: z.string(),
  contractId: z.string(),
  marketId: z.string(),
  entityId: z.string(),
  userId: z.string(),
  side: z.enum(["BUY", "SELL"]),
  timeInForce: z.string(),
  createdAt: time,
  updatedAt: time,
  price: number,
  quantity: number,
  filledQuantity: number,
  remainingQuantity: number,
  averagePrice: number.nullable(),
  status: z.enum(ORDER_STATUSES),
  closeReason: z.enum(CLOSE_REASONS).nullable(),
  blockedBy: orderBlocksResponse.shape.blockedBy.nullable(),
});

const orderEvents: z.ZodType<results.OrderEventsResult> = z.object({
  orderId: z.string(),
  contractId: z.string().optional(),
  entityId: z.string().optional(),
  side: z.string().optional(),
  events: z.array(z.object({
    id: z.string(),
    time,
    event: z.string(),
    userId: z.string().optional(),
    details: z.record(z.string(), z.unknown()),
  })).min(2),
  hasMore: z.boolean(),
  cursor: z.string().nullable(),
  note: z.string().optional(),
});

const desk = await Desk.open();
let alice: Seat;
let orderId: string;

beforeAll(async () => {
  alice = await desk.connected("alice");
  const bob = await desk.connected("bob");
  orderId = text(await alice.buy(BASE, 4500, 20), "orderId");
  await bob.sell(BASE, 4500, 5);
});

function expectFit(schema: z.ZodType, result: unknown): void {
  expect(schema.safeParse(result).error?.issues ?? []).toEqual([]);
}

describe("the types of results hold for", () => {
  test("mkt_get_order_book", async () => {
    expectFit(orderBook, await alice.ok("mkt_get_order_book", { contractId: BASE }));
  });

  test("mkt_list_entities, and mkt_get_entity with and without positions", async () => {
    const { entities } = await alice.ok("mkt_list_entities");
    expectFit(z.array(entity).min(2), entities);
    expectFit(entity, await alice.ok("mkt_get_entity", { entityId: "alpha" }));
    expectFit(positions, await alice.ok("mkt_get_entity", { entityId: "alpha", positions: true }));
    expectFit(daySums, await alice.ok("mkt_get_entity", { entityId: "alpha", by: "day" }));
  });

  test("mkt_get_order and the order's history", async () => {
    expectFit(order, await alice.ok("mkt_get_order", { orderId }));
    const operator = await desk.connected("olga");
    expectFit(orderEvents, await operator.ok("mkt_get_order_events", { orderId, detail: "full" }));
  });

  test("mkt_sim_status, with the page's columns and without, and mkt_sim_get_spot_prices", async () => {
    const simulator = new ScriptedSimulator();
    const seat = new Seat(await createRuntime(configurationFor({ MKT_SIM_URL: simulator.url }), PROGRAM));
    expectFit(simulation, await seat.ok("mkt_sim_status"));
    const fields = Object.keys({ ...counted, strategy: 0, entityId: 0, state: 0, stoppedUntil: 0 });
    expectFit(simulation, await seat.ok("mkt_sim_status", { limit: 200, fields }));
    expectFit(spot, await seat.ok("mkt_sim_get_spot_prices"));
  });
});
