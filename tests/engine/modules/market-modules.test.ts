import { expect, test } from "bun:test";
import { marketDefinition } from "../../../engine/definition/market-definition.ts";
import {
  contractModule,
  engineModule,
  marketModule,
  productModule,
  queueModule,
} from "../../../engine/modules/market-modules.ts";
import { creditModules, entityModule, userModule } from "../../../engine/modules/credit-modules.ts";
import { createState } from "../../../engine/state/initial-state.ts";
import { EPOCH, scheduledMarket, smallMarket, START, USERS } from "../support/market.ts";

const stateOf = (definition = smallMarket()) => createState(definition, { engineId: "test", epoch: EPOCH, now: START });
const state = stateOf();
const south = state.contracts.get("S-PK")!;

test("a market shows its session, its status, and whether it is halted, which its status alone does not say", () => {
  const [market] = [...stateOf(scheduledMarket()).markets.values()];
  const shown = {
    id: "M1",
    name: "Small market",
    code: "M1",
    timezone: "America/New_York",
    nodes: ["NORTH", "SOUTH"],
    status: "closed",
    halted: false,
    haltReason: null,
    preopen: "2026-01-14T13:30:00.000Z",
    open: "2026-01-14T14:00:00.000Z",
    close: "2026-01-14T22:00:00.000Z",
    currentTime: "2026-01-14T13:00:05.000Z",
  } as const;
  expect(marketModule(market!, START + 5_000)).toEqual({ ...shown, nodes: [...shown.nodes] });
  Object.assign(market!, { halted: true, haltReason: "storm" });
  expect(marketModule(market!, START + 5_000)).toMatchObject({ status: "halted", halted: true, haltReason: "storm" });
  const [always] = [...state.markets.values()];
  expect(marketModule(always!, START)).toMatchObject({ status: "open", preopen: null, open: null, close: null });
});

test("a product, a contract, its book and its queue show what the definition says, each in its own place", () => {
  const shape = { lot: 0.5, tick: 5, minimumPrice: -50_000, maximumPrice: 500_000 };
  expect(productModule(south.product)).toEqual({
    id: "S-PEAK",
    marketId: "M1",
    name: "South peak",
    code: "S-PEAK",
    type: "peak",
    node: "SOUTH",
    currency: "USD",
    contractSpecification: shape,
  });
  const contract = {
    id: "S-PK",
    productId: "S-PEAK",
    productCode: "S-PEAK",
    marketId: "M1",
    engineId: "ENG-S-PK",
    name: "South, peak",
    code: "S-PK",
    node: "SOUTH",
    deliveryStart: "2026-01-21T12:00:00.000Z",
    deliveryEnd: "2026-01-22T04:00:00.000Z",
    hours: 16,
    ...shape,
    status: "listed",
  } as const;
  expect(contractModule(south)).toEqual(contract);
  expect(contractModule({ ...south, expired: true })).toEqual({ ...contract, status: "expired" });
  expect(engineModule(south)).toEqual({
    id: "ENG-S-PK",
    contractId: "S-PK",
    productCode: "S-PEAK",
    marketId: "M1",
    bids: [],
    asks: [],
    bestBid: null,
    bestAsk: null,
    lastPrice: null,
    totalWorkingOrders: 0,
    heldOrders: 0,
    tradedQuantity: 0,
    lastUpdate: "2026-01-14T13:00:00.000Z",
  });
  south.book.add(1, 0, -5, 1_500, 0, 1);
  south.book.add(2, 1, 7, 500, 1, 2);
  south.book.add(3, 1, 7, 250, 1, 3);
  const traded = { ...south, lastPrice: 6, tradedQuantity: 1_250, bookUpdatedAt: START + 1, queueUpdatedAt: START + 2 };
  expect(engineModule(traded)).toMatchObject({
    bids: [{ price: -5, volume: 1.5, orderCount: 1 }],
    asks: [{ price: 7, volume: 0.75, orderCount: 2 }],
    bestBid: -5,
    bestAsk: 7,
    lastPrice: 6,
    totalWorkingOrders: 3,
    tradedQuantity: 1.25,
    lastUpdate: "2026-01-14T13:00:00.001Z",
  });
  expect(queueModule(traded)).toEqual({
    id: "QUE-S-PK",
    engineId: "ENG-S-PK",
    contractId: "S-PK",
    length: 0,
    orderIds: [],
    lastUpdate: "2026-01-14T13:00:00.002Z",
  });
});

test("an entity, a user and the credit of a pair show their own side, and the other's documents", () => {
  expect(entityModule(state.entities.get("ALPHA")!)).toEqual({
    id: "ALPHA",
    name: "Entity ALPHA",
    code: "ALPHA",
    userIds: [USERS.alpha, USERS.alphaSecond],
    creditStatus: "ok",
  });
  expect(userModule(state.users.get(USERS.blind)!)).toEqual({
    id: USERS.blind,
    name: "Blind",
    entityId: "BETA",
    permissions: ["Order.Submit"],
    connected: false,
  });
  const limits = [
    { limitType: "mw", scope: "per_contract", contractId: "N-H12", limit: 3, marginPercent: 100 },
    { limitType: "notional", scope: "total", limit: 1_000, marginPercent: 50 },
  ];
  const credit = [{ entityId: "BETA", counterpartyId: "ALPHA", documentation: "pending", notes: "by fax", limits }];
  const other = stateOf(marketDefinition.parse({ ...smallMarket(), credit }));
  other.ledger.addTrade(0, 1, other.contracts.get("N-H12")!, 5_000, 2_500);
  expect([...creditModules(other, null)].map(({ id }) => id)).toEqual([
    "ALPHA:BETA",
    "ALPHA:GAMMA",
    "BETA:ALPHA",
    "BETA:GAMMA",
    "GAMMA:ALPHA",
    "GAMMA:BETA",
  ]);
  const [ofAlpha, ofBeta] = [[...creditModules(other, "ALPHA")], [...creditModules(other, "BETA")]];
  expect([ofAlpha.map(({ id }) => id), ofBeta.map(({ id }) => id)])
    .toEqual([["ALPHA:BETA", "ALPHA:GAMMA"], ["BETA:ALPHA", "BETA:GAMMA"]]);
  const used = { usedNotional: 125, usedMw: 2.5, usedMwh: 2.5, tradable: false, updatedAt: "2026-01-14T13:00:00.000Z" };
  expect(ofBeta[0]).toEqual({
    ...used,
    id: "BETA:ALPHA",
    entityId: "BETA",
    counterpartyId: "ALPHA",
    limits: [
      { ...limits[0], used: 2.5, available: 0.5 },
      { ...limits[1], contractId: null, used: 62.5, available: 937.5 },
    ] as typeof ofBeta[number]["limits"],
    documentation: "pending",
    counterpartyDocumentation: "docs_in_place",
    notes: "by fax",
  });
  expect(ofAlpha[0]).toMatchObject({
    ...used,
    documentation: "docs_in_place",
    counterpartyDocumentation: "pending",
    notes: null,
  });
});
