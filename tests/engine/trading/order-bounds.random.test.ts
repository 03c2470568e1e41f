// Random orders with random bounds, against a slow reference. The reference finds whether an order is held by executing it
// without bounds on a copy of the engine, and books, open orders and positions by adding up every order and fill since the
// start; it knows no credit. The engine must reject exactly what the reference rejects, over restarts, flushes and forgotten
// history.

import { expect, test } from "bun:test";
import type { ModuleData } from "../../../protocol/modules/registry.ts";
import type { Action, OrderBounds } from "../../../protocol/index.ts";
import { Engine } from "../../../engine/engine.ts";
import type { Execution } from "../../../engine/api/market-engine.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { EPOCH, SECRET, smallMarket, START, USERS } from "../support/market.ts";
import { type LastSteps, SEED, withSeedInFailures } from "../../support/seed.ts";
import { size } from "../../support/sizes.ts";
import { changedModulesOf, eventsOf, resultOf } from "../../support/executions.ts";
import { wholeCheckpoint } from "../support/checkpoints.ts";

const RUNS = size(1, 12);
const STEPS = size(400, 1000);
const OPTIONS = {
  epoch: EPOCH,
  now: START,
  engineId: "test-engine",
  secret: SECRET,
  retention: { closedOrders: 20, trades: 5 },
};
const MINUTES: Readonly<Record<string, bigint>> = { "N-H12": 60n, "S-PK": 960n };
const TRADERS = [USERS.alpha, USERS.alphaSecond, USERS.beta, USERS.gamma] as const;
const ENTITIES = ["ALPHA", "BETA", "GAMMA"] as const;
const UNBOUNDED = { maxNotional: 1e15 };

type Order = ModuleData<"ORDER">;
type Fill = ModuleData<"FILL">;

const kilowatts = (megawatts: number) => BigInt(Math.round(megawatts * 1000));
const magnitude = (value: number) => BigInt(Math.abs(value));
/** cents/MWh x kW x min. */
const notionalOf = (contractId: string, price: number, megawatts: number) =>
  magnitude(price) * kilowatts(megawatts) * (MINUTES[contractId] ?? 0n);
/** Cents are whole in these tests. */
const unitsOf = (dollars: number) => BigInt(Math.round(dollars * 100)) * 60_000n;

/** Every order and fill that the engine has ever published. */
class History {
  readonly orders = new Map<string, Order>();
  readonly fills: Fill[] = [];
  readonly bounds = new Map<string, number>();

  take(execution: Execution): void {
    for (const { type, data } of eventsOf(execution)) {
      if (type === "new.fill") this.fills.push(data as Fill);
      else if (type.endsWith(".order") && type !== "reject.order") this.orders.set(String(data["id"]), data as Order);
    }
  }

  open(userId: string): Order[] {
    return [...this.orders.values()].filter((order) => order.userId === userId && order.closeReason === null);
  }

  /** What the order comes to if it trades with the dearest orders that it may meet, and with as many of them as it can. */
  greatestNotional({ contractId, side, price, status }: Order, quantity: number): bigint {
    const met = status === "held"
      ? []
      : [...this.orders.values()].filter((other) =>
        other.contractId === contractId && other.side !== side && other.closeReason === null &&
        other.status !== "held" &&
        (side === 0 ? other.price <= price : other.price >= price)
      );
    const dearest = met.filter((other) => magnitude(other.price) > magnitude(price))
      .sort((one, other) => Math.abs(other.price) - Math.abs(one.price));
    let left = quantity;
    let notional = 0n;
    for (const other of dearest) {
      const traded = Math.min(left, other.remainingQuantity);
      notional += notionalOf(contractId, other.price, traded);
      left -= traded;
    }
    return notional + notionalOf(contractId, price, left);
  }

  /** kW. */
  position(userId: string, contractId: string): bigint {
    return this.fills.filter((fill) => fill.userId === userId && fill.contractId === contractId)
      .reduce((sum, { side, quantity }) => sum + (side === 0 ? kilowatts(quantity) : -kilowatts(quantity)), 0n);
  }

  notional(order: Order): bigint {
    return this.fills.filter(({ orderId }) => orderId === order.id)
      .reduce((sum, fill) => sum + notionalOf(fill.contractId, fill.price, fill.quantity), restOf(order));
  }
}

function restOf({ contractId, price, remainingQuantity }: Order): bigint {
  return notionalOf(contractId, price, remainingQuantity);
}

function copyOf(engine: Engine): Engine {
  return Engine.restore(smallMarket(), wholeCheckpoint(engine), OPTIONS);
}

/**
 * Whether an order could exceed a bound. `order`: as it is after execution without bounds. `before`: as it was before the
 * change.
 */
function passes(
  history: History,
  order: Order,
  before: Order | undefined,
  bounds: OrderBounds,
  kept: number | undefined,
): boolean {
  const { id, userId, contractId, side, price } = order;
  const others = history.open(userId).filter((other) => other.id !== id);
  const arriving = order.quantity - (before?.filledQuantity ?? 0);
  const maxNotional = bounds.maxNotional ?? kept;
  const filled = before === undefined ? 0n : history.notional(before) - restOf(before);
  const notional = filled + history.greatestNotional(order, arriving);
  const position = history.position(userId, contractId);
  const openNotional = others.reduce((sum, other) => sum + restOf(other), notionalOf(contractId, price, arriving));
  const sameSide = others.filter((other) => other.contractId === contractId && other.side === side)
    .reduce((sum, { remainingQuantity }) => sum + kilowatts(remainingQuantity), kilowatts(arriving));
  const isPassed = (value: bigint, bound: bigint | undefined) => bound !== undefined && value > bound;
  return isPassed(kilowatts(order.quantity), inKilowatts(bounds.maxQuantity)) ||
    (bounds.maxOpenOrders !== undefined && others.length + 1 > bounds.maxOpenOrders) ||
    isPassed((side === 0 ? position : -position) + sameSide, inKilowatts(bounds.maxNetPosition)) ||
    (maxNotional !== undefined && notional > unitsOf(maxNotional)) ||
    (bounds.maxOpenNotional !== undefined && openNotional > unitsOf(bounds.maxOpenNotional));
}

function inKilowatts(megawatts: number | undefined): bigint | undefined {
  return megawatts === undefined ? undefined : kilowatts(megawatts);
}

function run(seed: number, steps: LastSteps): { readonly refused: number; readonly cancelled: number } {
  const random = new SeededRandom(seed);
  const pick = <Value>(values: readonly Value[]): Value => values[random.integer(0, values.length - 1)]!;
  const chance = (part: number) => random.next() < part;
  const history = new History();
  let engine = new Engine(smallMarket(), OPTIONS);
  let operations = 0;
  let refused = 0;
  const send = (on: Engine, userId: string, action: Action, payload: object) =>
    on.execute({ userId, operationId: `op-${operations}`, action, payload }, START);

  const randomBounds = (): OrderBounds => ({
    ...(chance(0.1) && { maxQuantity: random.integer(1, 12) }),
    ...(chance(0.5) && { maxNotional: random.integer(0, 200) / 4 }),
    ...(chance(0.1) && { maxOpenOrders: random.integer(2, 20) }),
    ...(chance(0.1) && { maxOpenNotional: random.integer(0, 1000) / 4 }),
    ...(chance(0.1) && { maxNetPosition: random.integer(0, 60) / 2 }),
  });

  const order = (userId: string, action: "order.submit" | "order.modify", payload: Record<string, unknown>) => {
    const bounds = randomBounds();
    const before = history.orders.get(String(payload["orderId"]));
    const kept = history.bounds.get(String(payload["orderId"]));
    const copy = send(copyOf(engine), userId, action, { ...payload, bounds: UNBOUNDED });
    const execution = send(engine, userId, action, { ...payload, bounds });
    const { response } = execution;
    if (copy.response?.status !== "ok") return expect(response?.code).toBe(copy.response?.code ?? "");
    const wanted = resultOf(copy)?.["order"] as Order;
    const isLowered = before !== undefined && wanted.price === before.price && wanted.quantity <= before.quantity;
    const expected = !isLowered && passes(history, wanted, before, bounds, kept) ? "limit_exceeded" : "ok";
    const outcome = response?.code ?? response?.status;
    steps.add({ action, userId, payload, bounds, outcome });
    expect(outcome).toBe(expected);
    history.take(execution);
    if (expected !== "ok") {
      refused += 1;
      return expect(changedModulesOf(execution)).toEqual([]);
    }
    expect(changedModulesOf(execution)).toEqual(changedModulesOf(copy));
    if (bounds.maxNotional !== undefined && !isLowered) history.bounds.set(wanted.id, bounds.maxNotional);
  };

  const other = (userId: string, action: Action, payload: object) => {
    steps.add({ action, userId, payload });
    history.take(send(engine, userId, action, payload));
  };

  for (let step = 0; step < STEPS; step++) {
    operations += 1;
    const userId = pick(TRADERS);
    const open = history.open(userId);
    const chosen = random.next();
    const contractId = chance(0.8) ? "N-H12" : "S-PK";
    const price = contractId === "N-H12" ? random.integer(-1, 9) * 100 : random.integer(-3, 9) * 5;
    if (chosen < 0.65) {
      order(userId, "order.submit", { contractId, side: random.integer(0, 1), price, quantity: random.integer(1, 12) });
    } else if (chosen < 0.77 && open.length > 0) {
      const { id, price: oldPrice, contractId: its } = pick(open);
      const newPrice = its === contractId && chance(0.6) ? price : oldPrice;
      order(userId, "order.modify", { orderId: id, price: newPrice, quantity: random.integer(1, 12) });
    } else if (chosen < 0.82 && open.length > 0) other(userId, "order.cancel", { orderId: pick(open).id });
    else if (chosen < 0.86) {
      const grantor = random.integer(0, 2);
      const [entityId, counterpartyId] = [ENTITIES[grantor]!, ENTITIES[(grantor + random.integer(1, 2)) % 3]!];
      const manager = TRADERS[grantor === 0 ? 0 : grantor + 1]!;
      if (chance(0.6)) {
        const status = pick(["docs_in_place", "docs_in_place", "no_docs"] as const);
        other(manager, "credit.setDocumentation", { entityId, counterpartyId, status });
      } else {
        const limit = { limitType: "notional", scope: "total", limit: random.integer(0, 30) * 100 };
        other(manager, "credit.setLimit", { entityId, counterpartyId, ...limit });
      }
    } else if (chosen < 0.94) other(USERS.operator, pick(["market.halt", "market.resume"]), {});
    else if (chosen < 0.96) other(USERS.operator, "dev.reset", { secret: SECRET, creditLimit: 1e6 });
    else if (chosen < 0.962) other(USERS.operator, "market.flush", {});
    else if (chosen < 0.98) engine = copyOf(engine);
    for (const [id, bound] of history.bounds) {
      const bounded = history.orders.get(id);
      if (bounded === undefined) throw new Error(`no order ${id}`);
      if (history.notional(bounded) > unitsOf(bound)) {
        throw new Error(`${id} has passed ${bound} dollars`);
      }
    }
  }
  const cancelled = [...history.orders.values()].filter(({ closeReason }) => closeReason === "limit_exceeded").length;
  return { refused, cancelled };
}

test("the engine rejects exactly what a slow reference rejects, and no order ever exceeds its bound", async () => {
  let [refused, cancelled] = [0, 0];
  for (let seed = SEED; seed < SEED + RUNS; seed++) {
    const outcome = await withSeedInFailures((steps) => run(seed, steps), seed);
    refused += outcome.refused;
    cancelled += outcome.cancelled;
  }
  expect(refused).toBeGreaterThan(RUNS * 20);
  expect(cancelled).toBeGreaterThan(0);
});
