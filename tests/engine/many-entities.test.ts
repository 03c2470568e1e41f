// Random commands of 32 entities against one engine. After each command three invariants are checked exactly: every
// quantity is conserved, used credit is the sum over the open trades, and no two crossed orders may trade with each other.
// The test keeps its own credit in the bigint ledger, from the published events alone.
// (random-run.test.ts has fewer entities, and everything else that happens in a market.)

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type ModuleData, moduleSchema } from "../../protocol/modules/registry.ts";
import { type EventMessage, EVENTS } from "../../protocol/index.ts";
import { type MarketDefinition, marketDefinition } from "../../engine/definition/market-definition.ts";
import { Engine } from "../../engine/engine.ts";
import type { Execution } from "../../engine/api/market-engine.ts";
import { kilowattsOf } from "../../engine/market/units.ts";
import { size } from "../support/sizes.ts";
import { roundedNumber } from "./market/support/bigint-units.ts";
import { ExactLedger } from "./market/support/exact-ledger.ts";
import { EPOCH, smallMarket, START } from "./support/market.ts";
import { weighted } from "./support/weighted-command.ts";
import { changedModulesOf, eventsOf, snapshotOf } from "../support/executions.ts";

const ENTITIES = 32;
const DEFAULT_LIMIT = { limitType: "notional", contract: null, limit: 600, marginPercent: 100 } as const;
/** One hour, lot 1 MW; 16 hours, lot 0.5 MW. */
const CONTRACTS = [
  { id: "N-H12", key: 0, minutes: 60, lot: 1000, step: 100 },
  { id: "S-PK", key: 1, minutes: 960, lot: 500, step: 95 },
] as const;

const entity = fc.nat(ENTITIES - 1);
const terms = { price: fc.integer({ min: -30, max: 40 }), quantity: fc.integer({ min: 1, max: 40 }) };
const further = fc.integer({ min: 1, max: ENTITIES - 1 });
const command = fc.oneof(
  weighted(30, "submit", { entity, contract: fc.nat(1), side: fc.constantFrom(0 as const, 1 as const), ...terms }),
  weighted(4, "modify", { pick: fc.nat(), ...terms }),
  weighted(8, "cancel", { pick: fc.nat() }),
  weighted(6, "limit", {
    entity,
    further,
    limitType: fc.constantFrom("notional" as const, "mw" as const, "mwh" as const),
    contract: fc.option(fc.nat(1), { nil: null }),
    limit: fc.constantFrom(0, 0.5, 7.25, 40, 333.33, 5_000, 1e12),
    marginPercent: fc.constantFrom(100, 100, 50, 12.5, 33.333, 0),
  }),
  weighted(6, "documents", {
    entity,
    further,
    status: fc.constantFrom("docs_in_place" as const, "no_docs" as const, "pending" as const),
  }),
);
type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never;

/** A third of the pairs begin without documents. */
const areStrangers = (party: number, counterparty: number) => (party + counterparty) % 3 === 0;
const entityId = (party: number) => `E-${party}`;
const userId = (party: number) => `user-${party}`;

function manyEntities(): MarketDefinition {
  const parties = Array.from({ length: ENTITIES }, (_, party) => party);
  const { limitType, limit, marginPercent } = DEFAULT_LIMIT;
  const limits = [{ limitType, scope: "total", limit, marginPercent }];
  return marketDefinition.parse({
    ...smallMarket(),
    entities: parties.map((party) => ({ id: entityId(party), code: entityId(party), name: entityId(party) })),
    users: parties.map((party) => ({
      id: userId(party),
      name: userId(party),
      entityId: entityId(party),
      permissions: ["Market.View", "Order.Submit", "Credit.View", "Credit.Manage"],
    })),
    credit: parties.flatMap((party) =>
      parties.filter((other) => party !== other && areStrangers(party, other)).map((other) => ({
        entityId: entityId(party),
        counterpartyId: entityId(other),
        limits,
        documentation: "no_docs",
      }))
    ),
    creditDefaults: { limits, documentation: "docs_in_place" },
  });
}

class Run {
  readonly #engine = new Engine(manyEntities(), { epoch: EPOCH, now: START, engineId: "test-engine", secret: null });
  readonly #credit = new ExactLedger(ENTITIES);
  readonly #orders = new Map<string, ModuleData<"ORDER">>();
  /** kW, by order. */
  readonly #filled = new Map<string, number>();
  /** By order. A larger number means a later arrival. */
  readonly #arrivals = new Map<string, number>();
  #operations = 0;
  trades = 0;
  /** How many crossed orders that may not trade the last invariant has met. */
  crossedStrangers = 0;

  constructor() {
    for (let party = 0; party < ENTITIES; party++) {
      for (let counterparty = 0; counterparty < ENTITIES; counterparty++) {
        if (party === counterparty) continue;
        const documentation = areStrangers(party, counterparty) ? "no_docs" : "docs_in_place";
        this.#credit.setDocumentation(party, counterparty, documentation);
        this.#credit.setLimit(party, counterparty, DEFAULT_LIMIT);
      }
    }
  }

  carryOut(command: Command): void {
    const execution = this.#execute(command);
    if (execution === null) return;
    this.#noteArrival(execution);
    this.#follow(eventsOf(execution));
    for (const { statePath, state } of changedModulesOf(execution)) {
      if (statePath.startsWith("/ORDER/")) this.#checkOrder(moduleSchema("ORDER").parse(state));
      if (statePath.startsWith("/CREDIT/")) this.#checkCredit(moduleSchema("CREDIT").parse(state));
    }
    for (const contract of CONTRACTS) this.#checkNothingLeftToTrade(contract);
  }

  /** Goes to the end of each delivery. Its trades then use no credit, so orders in the other contract may trade. */
  deliver(): void {
    for (const [time, contract] of [["2026-01-20T13:00:00-05:00", 0], ["2026-01-21T23:00:00-05:00", 1]] as const) {
      const events = eventsOf(this.#engine.advance(Date.parse(time)));
      this.#credit.releaseContract(contract);
      this.#follow(events);
      this.checkAllCredit();
    }
    expect(this.#credit.usage(0, 1).quantity).toBe(0n);
  }

  checkAllCredit(): void {
    for (const { statePath, state } of snapshotOf(this.#engine, START)) {
      if (statePath.startsWith("/CREDIT/")) this.#checkCredit(moduleSchema("CREDIT").parse(state));
    }
  }

  #execute(command: Command): Execution | null {
    switch (command.kind) {
      case "submit": {
        const { id, lot, step } = contractAt(command.contract);
        const terms = { price: command.price * step, quantity: command.quantity * lot / 1000, side: command.side };
        return this.#send(userId(command.entity), "order.submit", { contractId: id, ...terms });
      }
      case "modify": {
        const order = this.#openOrder(command.pick);
        if (order === null) return null;
        const { lot, step } = contractNamed(order.contractId);
        const quantity = order.filledQuantity + command.quantity * lot / 1000;
        return this.#send(order.userId, "order.modify", { orderId: order.id, price: command.price * step, quantity });
      }
      case "cancel": {
        const order = this.#openOrder(command.pick);
        return order === null ? null : this.#send(order.userId, "order.cancel", { orderId: order.id });
      }
      case "limit": {
        const { limitType, limit, marginPercent } = command;
        const scope = command.contract === null
          ? { scope: "total" }
          : { scope: "per_contract", contractId: contractAt(command.contract).id };
        const limitTerms = { ...pairOf(command), ...scope, limitType, limit, marginPercent };
        return this.#send(userId(command.entity), "credit.setLimit", limitTerms);
      }
      case "documents": {
        const documents = { ...pairOf(command), status: command.status };
        return this.#send(userId(command.entity), "credit.setDocumentation", documents);
      }
    }
  }

  #send(user: string, action: string, payload: unknown): Execution {
    const operationId = `op-${++this.#operations}`;
    const execution = this.#engine.execute({ userId: user, operationId, action, payload }, START);
    expect(execution.response).toMatchObject({ status: "ok" });
    return execution;
  }

  #openOrder(pick: number): ModuleData<"ORDER"> | null {
    const open = [...this.#orders.values()];
    return open[pick % open.length] ?? null;
  }

  /** Notes an arrival if the first event is of a new order, or of one with another price or a larger quantity. */
  #noteArrival(execution: Execution): void {
    const [first] = eventsOf(execution);
    if (first === undefined || (first.type !== "new.order" && first.type !== "change.order")) return;
    const order = moduleSchema("ORDER").parse(first.data);
    const before = this.#orders.get(order.id);
    if (before !== undefined && before.price === order.price && before.quantity >= order.quantity) return;
    this.#arrivals.set(order.id, this.#operations);
  }

  /** Books credit and fills from the events. A trade must have two fills of its quantity, one on each side. */
  #follow(events: readonly EventMessage[]): void {
    for (const [at, { type, data }] of events.entries()) {
      if (type === "change.credit") {
        const { entityId, counterpartyId, contractId, limitType, limit, marginPercent } = EVENTS[type].parse(data);
        const contract = contractId === null ? null : contractNamed(contractId).key;
        const terms = { limitType, contract, limit, marginPercent };
        this.#credit.setLimit(partyOf(entityId), partyOf(counterpartyId), terms);
      } else if (type === "change.documentation") {
        const { entityId, counterpartyId, status } = EVENTS[type].parse(data);
        this.#credit.setDocumentation(partyOf(entityId), partyOf(counterpartyId), status);
      } else if (type === "new.trade") {
        this.#trade(moduleSchema("TRADE").parse(data), events.slice(at + 1, at + 3));
      }
    }
  }

  #trade(trade: ModuleData<"TRADE">, following: readonly EventMessage[]): void {
    const contract = contractNamed(trade.contractId);
    const [buyer, seller] = [partyOf(trade.buyEntityId), partyOf(trade.sellEntityId)];
    const quantity = kilowatts(trade.quantity);
    expect(quantity).toBeGreaterThan(0);
    expect(quantity % contract.lot).toBe(0);
    expect(quantity).toBeLessThanOrEqual(this.#credit.availableCredit(buyer, seller, contract, trade.price));
    this.#credit.addTrade(buyer, seller, contract, trade.price, quantity);
    this.trades += 1;

    const fills = following.map(({ data }) => moduleSchema("FILL").parse(data)).sort((a, b) => a.side - b.side);
    expect(fills.map((fill) => [fill.tradeId, fill.orderId, fill.side, fill.price, fill.quantity])).toEqual([
      [trade.id, trade.buyOrderId, 0, trade.price, trade.quantity],
      [trade.id, trade.sellOrderId, 1, trade.price, trade.quantity],
    ]);
    for (const { orderId } of fills) this.#filled.set(orderId, (this.#filled.get(orderId) ?? 0) + quantity);
  }

  /** The quantity of an order is what is filled and what remains or was cancelled. */
  #checkOrder(order: ModuleData<"ORDER">): void {
    expect(kilowatts(order.filledQuantity)).toBe(this.#filled.get(order.id) ?? 0);
    const left = kilowatts(order.quantity) - kilowatts(order.filledQuantity);
    expect(kilowatts(order.remainingQuantity)).toBe(order.closeReason === null ? left : 0);
    if (order.closeReason === null) this.#orders.set(order.id, order);
    else this.#orders.delete(order.id);
    if (order.closeReason !== "cancelled") expect(left === 0).toBe(order.closeReason === "filled");
  }

  #checkCredit(credit: ModuleData<"CREDIT">): void {
    const [party, counterparty] = [partyOf(credit.entityId), partyOf(credit.counterpartyId)];
    const { quantity, energy, notional } = this.#credit.usage(party, counterparty);
    expect([credit.id, credit.usedNotional, credit.usedMw, credit.usedMwh]).toEqual([
      credit.id,
      roundedNumber(notional, 6_000_000n, 4),
      roundedNumber(quantity, 1000n, 3),
      roundedNumber(energy, 60_000n, 6),
    ]);
    expect(credit.limits.map(({ limitType, contractId, used, available }) => [limitType, contractId, used, available]))
      .toEqual(
        this.#credit.limitUsage(party, counterparty).map(({ terms: { limitType, contract }, used, available }) => [
          limitType,
          contract === null ? null : contractAt(contract).id,
          used,
          available,
        ]),
      );
  }

  #checkNothingLeftToTrade(contract: Contract): void {
    const orders = [...this.#orders.values()].filter(({ contractId }) => contractId === contract.id);
    const bids = orders.filter(({ side }) => side === 0).sort((a, b) => b.price - a.price);
    const asks = orders.filter(({ side }) => side === 1).sort((a, b) => a.price - b.price);
    for (const bid of bids) {
      for (const ask of asks) {
        if (ask.price > bid.price) break;
        const { price } = this.#ageOf(bid) < this.#ageOf(ask) ? bid : ask;
        const available = this.#credit.availableCredit(partyOf(bid.entityId), partyOf(ask.entityId), contract, price);
        if (bid.entityId !== ask.entityId) this.crossedStrangers += 1;
        expect(available >= contract.lot ? `${bid.id} and ${ask.id} may trade ${available} kW at ${price}` : "").toBe(
          "",
        );
      }
    }
  }

  #ageOf({ id }: ModuleData<"ORDER">): number {
    const age = this.#arrivals.get(id);
    if (age === undefined) throw new Error(`order ${id} never arrived`);
    return age;
  }
}

type Contract = typeof CONTRACTS[number];

function contractAt(key: number): Contract {
  return key === 0 ? CONTRACTS[0] : CONTRACTS[1];
}

function contractNamed(id: string): Contract {
  return id === CONTRACTS[0].id ? CONTRACTS[0] : CONTRACTS[1];
}

function pairOf({ entity, further }: { entity: number; further: number }) {
  return { entityId: entityId(entity), counterpartyId: entityId((entity + further) % ENTITIES) };
}

function partyOf(id: string): number {
  return Number(id.slice("E-".length));
}

function kilowatts(megawatts: number): number {
  const whole = kilowattsOf(megawatts);
  if (whole === null) throw new Error(`${megawatts} MW are not a whole number of kW`);
  return whole;
}

describe("a market of 32 entities", () => {
  test("conserves every quantity, uses credit for each trade, and leaves no crossed orders that may trade", () => {
    let trades = 0;
    let crossedStrangers = 0;
    fc.assert(
      fc.property(fc.array(command, { minLength: 100, maxLength: 300, size: "max" }), (commands) => {
        const run = new Run();
        for (const command of commands) run.carryOut(command);
        run.checkAllCredit();
        run.deliver();
        trades += run.trades;
        crossedStrangers += run.crossedStrangers;
      }),
      // Shrinking would take minutes; the printed seed replays the run.
      { numRuns: size(3, 300), endOnFailure: true },
    );
    expect(trades).toBeGreaterThan(100);
    expect(crossedStrangers).toBeGreaterThan(200);
  });
});
