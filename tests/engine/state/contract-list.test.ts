import { describe, expect, test } from "bun:test";
import { HOUR_MS } from "../../../protocol/time-units.ts";
import { type MarketDefinition, marketDefinition } from "../../../engine/definition/market-definition.ts";
import { addContract, clearContracts, listDue, removeContract } from "../../../engine/state/contract-list.ts";
import type { EngineState } from "../../../engine/state/engine-state.ts";
import { createState } from "../../../engine/state/initial-state.ts";
import type { ContractState } from "../../../engine/state/market-state.ts";
import { EPOCH, smallMarket, START } from "../support/market.ts";

const DELIVERY = Date.parse("2026-01-20T17:00:00Z");
const DELIVERED = DELIVERY + HOUR_MS;
const LATER = Date.parse("2026-03-01T00:00:00Z");

function stateAt(now: number, definition: MarketDefinition = smallMarket()): EngineState {
  return createState(definition, { engineId: "test", epoch: EPOCH, now });
}

function contractOf(state: EngineState, id = "N-H12"): ContractState {
  const contract = state.contracts.get(id);
  if (contract === undefined) throw new Error(`there is no ${id}`);
  return contract;
}

/** The small market, whose products list days at different local times, with one contract of a later day of its own. */
function listingMarket(): MarketDefinition {
  const market = smallMarket();
  const [north, south] = market.products;
  return marketDefinition.parse({
    ...market,
    products: [
      { ...north, type: "base", listing: { ahead: 2, at: "10:00" } },
      { ...south, type: "base", listing: { ahead: 1, at: "09:00" } },
    ],
    contracts: [{
      id: "N-HOUR-2026-01-16",
      productId: "N-HOUR",
      code: "MINE",
      name: "mine",
      deliveryStart: "2026-01-16T00:00:00-05:00",
      deliveryEnd: "2026-01-17T00:00:00-05:00",
      hours: 24,
    }],
  });
}

describe("a contract of a new market", () => {
  test.each([
    ["before its delivery", DELIVERY - 1, false, false, true],
    ["from the start of its delivery", DELIVERY, true, false, false],
    ["until the end of its delivery", DELIVERED - 1, true, false, false],
    ["from the end of its delivery", DELIVERED, true, true, false],
  ])("%s has that state, and counts for credit only before", (_, now, expired, delivered, mayTrade) => {
    const market = smallMarket();
    const state = stateAt(now, { ...market, contracts: market.contracts.slice(0, 1) });
    const contract = contractOf(state);
    expect([contract.expired, contract.delivered, state.ledger.mayTrade(0, 1)]).toEqual([expired, delivered, mayTrade]);
    expect(state.deadlines.first?.time).toBe(delivered ? DELIVERED + 72 * HOUR_MS : expired ? DELIVERED : DELIVERY);
  });

  test("is found by its id, its key and its book, and in its market, in the order of listing", () => {
    const state = stateAt(START);
    const south = contractOf(state, "S-PK");
    expect(state.contractsByBook.get("ENG-S-PK")).toBe(south);
    expect(state.contractsByKey[south.key]).toBe(south);
    expect(south.market.contracts.map(({ id }) => id)).toEqual(["N-H12", "S-PK"]);
    expect([south.key, south.serial, south.minutes, south.lot, south.queueId]).toEqual([1, 2, 960, 500, "QUE-S-PK"]);
    expect([south.bookUpdatedAt, south.queueUpdatedAt]).toEqual([START, START]);
  });
});

describe("a contract that is removed", () => {
  test("is found no more, and gives its key, but not its serial, to the next contract", () => {
    const state = stateAt(DELIVERED);
    const contract = contractOf(state);
    expect(removeContract(state, contract)).toEqual([]);
    expect([...state.contracts.keys()]).toEqual(["S-PK"]);
    expect([...state.contractsByBook.keys()]).toEqual(["ENG-S-PK"]);
    expect(contract.market.contracts.map(({ id }) => id)).toEqual(["S-PK"]);
    expect(state.contractsByKey[0]).toBeUndefined();
    const next = addContract(state, { ...contract.definition, id: "NEXT" });
    const after = addContract(state, { ...contract.definition, id: "AFTER" });
    expect([next.key, next.serial, after.key, after.serial]).toEqual([0, 3, 2, 4]);
  });

  test("takes along the limits that name it, each of which is told with who granted it to whom", () => {
    const limit = (contractId: string, amount: number) => (
      { limitType: "mw", scope: "per_contract", contractId, limit: amount, marginPercent: 100 } as const
    );
    const state = stateAt(DELIVERED, {
      ...smallMarket(),
      credit: [
        {
          entityId: "BETA",
          counterpartyId: "ALPHA",
          limits: [limit("S-PK", 3), limit("N-H12", 4)],
          documentation: "pending",
        },
        { entityId: "ALPHA", counterpartyId: "GAMMA", limits: [limit("N-H12", 5)], documentation: "pending" },
      ],
    });
    const dropped = removeContract(state, contractOf(state)).map((
      { entity, counterparty, terms },
    ) => [entity.definition.id, counterparty.definition.id, terms.limit]);
    expect(dropped).toEqual([["ALPHA", "GAMMA", 5], ["BETA", "ALPHA", 4]]);
    expect(state.ledger.limits(1, 0).map((kept) => kept.limit)).toEqual([3]);
  });
});

test("all contracts are cleared with their deadlines, and a pair may then trade none", () => {
  const state = stateAt(START);
  clearContracts(state);
  expect([state.contracts.size, state.contractsByBook.size, state.contractsByKey.length]).toEqual([0, 0, 0]);
  expect([...state.markets.values()].map(({ contracts }) => contracts)).toEqual([[]]);
  expect([state.deadlines.first, state.ledger.mayTrade(0, 1)]).toEqual([undefined, false]);
});

describe("contracts that are due for listing", () => {
  const idsAt = (state: EngineState, now: number) => {
    state.now = now;
    return listDue(state).map(({ id }) => id);
  };
  const NINE = Date.parse("2026-01-15T14:00:00Z");
  const TEN = NINE + HOUR_MS;

  test("are listed at the very time of their rule, and the next time is the earliest of all rules", () => {
    const state = stateAt(START, listingMarket());
    // At 08:00 of the 14th no rule has yet listed its newest day.
    expect([...state.contracts.keys()]).toEqual(["N-HOUR-2026-01-16", "N-HOUR-2026-01-15"]);
    expect(state.nextListing).toBe(NINE - 24 * HOUR_MS);
    expect(idsAt(state, NINE - 24 * HOUR_MS)).toEqual(["S-PEAK-2026-01-15"]);
    expect(state.nextListing).toBe(TEN - 24 * HOUR_MS);
    // That of the rule for the 16th is in the market already, as it was defined.
    expect(idsAt(state, TEN - 24 * HOUR_MS)).toEqual([]);
    expect(state.nextListing).toBe(NINE);
    expect(idsAt(state, NINE - 1)).toEqual([]);
    expect(idsAt(state, TEN)).toEqual(["N-HOUR-2026-01-17", "S-PEAK-2026-01-16"]);
    expect(state.deadlines.first?.contract.id).toBe("N-HOUR-2026-01-15");
  });

  test("are listed once for a call that comes late, and the next time is after it", () => {
    const state = stateAt(START, listingMarket());
    state.now = START + 240 * HOUR_MS;
    const listed = listDue(state).map(({ id }) => id);
    // Those of ten days later, and not those between.
    expect(listed.filter((id) => id.startsWith("N-HOUR"))).toEqual(["N-HOUR-2026-01-25"]);
    expect(state.nextListing).toBe(Date.parse("2026-01-24T09:00:00-05:00"));
    expect(state.listings.map(({ next }) => next)).toEqual([
      Date.parse("2026-01-24T10:00:00-05:00"),
      Date.parse("2026-01-24T09:00:00-05:00"),
    ]);
    expect(listDue(state)).toEqual([]);
  });

  test("leave out one that is in the market, and not those after it", () => {
    const state = stateAt(START, listingMarket());
    expect(idsAt(state, TEN + 2 * 24 * HOUR_MS)).toEqual([
      "N-HOUR-2026-01-18",
      "N-HOUR-2026-01-19",
      "S-PEAK-2026-01-18",
    ]);
    const again = stateAt(START, listingMarket());
    again.contracts.set("N-HOUR-2026-01-18", contractOf(again, "N-HOUR-2026-01-16"));
    expect(idsAt(again, TEN + 2 * 24 * HOUR_MS)).toEqual(["N-HOUR-2026-01-19", "S-PEAK-2026-01-18"]);
    expect(again.deadlines.first?.contract.id).toBe("N-HOUR-2026-01-15");
  });
});

test("without a rule nothing is ever due for listing", () => {
  expect(stateAt(LATER).nextListing).toBe(Infinity);
});
