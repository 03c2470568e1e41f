import { describe, expect, test } from "bun:test";
import { type MarketDefinition, marketDefinition } from "../../../engine/definition/market-definition.ts";
import { nextDeadline, nextMarketToChange, pairState, updateCreditStatus } from "../../../engine/state/engine-state.ts";
import { createState, DEFAULT_RETENTION } from "../../../engine/state/initial-state.ts";
import { EPOCH, scheduledMarket, smallMarket, START, USERS } from "../support/market.ts";

function stateOf(definition: MarketDefinition, now = START) {
  return createState(definition, { engineId: "test", epoch: EPOCH, now });
}

function withCredit(...credit: Partial<MarketDefinition["credit"][number]>[]): MarketDefinition {
  return marketDefinition.parse({ ...smallMarket(), credit });
}

const [ALPHA, BETA, GAMMA] = [0, 1, 2];
const TOTAL = { limitType: "mw", scope: "total", limit: 7, marginPercent: 100 } as const;

describe("a new market", () => {
  test("has the users of each entity, whatever they may do, and knows the entity and the place of each user", () => {
    const { entities, users } = stateOf(smallMarket());
    expect(entities.get("ALPHA")?.userIds).toEqual([USERS.alpha, USERS.alphaSecond]);
    expect(entities.get("BETA")?.userIds).toEqual([USERS.beta, USERS.blind]);
    const viewersOnly = smallMarket().users.map((user) => ({ ...user, permissions: [] }));
    expect(stateOf({ ...smallMarket(), users: viewersOnly }).entities.get("GAMMA")?.userIds).toEqual([USERS.gamma]);
    const blind = users.get(USERS.blind);
    expect([blind?.entity, blind?.number, blind?.connected]).toEqual([entities.get("BETA") ?? null, 7, false]);
    expect(blind?.ownerText).toBe('"BETA","userId":"user-blind"');
    const viewer = users.get(USERS.viewer);
    expect([viewer?.entity, viewer?.ownerText]).toEqual([null, 'null,"userId":"user-viewer"']);
    expect(users.get(USERS.alpha)?.exposure).not.toBe(users.get(USERS.beta)?.exposure);
  });

  test("has the limits, documents and notes of each ordered pair, and the default if none are given", () => {
    const state = stateOf(withCredit(
      { entityId: "BETA", counterpartyId: "ALPHA", limits: [TOTAL], documentation: "pending", notes: "by fax" },
      {
        entityId: "ALPHA",
        counterpartyId: "GAMMA",
        limits: [{ ...TOTAL, scope: "per_contract", contractId: "S-PK", limit: 2 }],
        documentation: "docs_in_place",
      },
    ));
    const { ledger, parties } = state;
    const shown = (one: number, other: number) => {
      const limits = ledger.limits(one, other).map(({ limit, contract }) => [limit, contract]);
      return [limits, ledger.documentation(one, other), pairState(state, parties[one]!, parties[other]!).notes];
    };
    expect(shown(BETA, ALPHA)).toEqual([[[7, null]], "pending", "by fax"]);
    expect(shown(ALPHA, BETA)).toEqual([[[10_000_000, null]], "docs_in_place", null]);
    expect(shown(ALPHA, GAMMA)).toEqual([[[2, state.contracts.get("S-PK")!.key]], "docs_in_place", null]);
    expect(shown(ALPHA, ALPHA)).toEqual([[], "no_docs", null]);
    const tradable = state.pairs.map(({ tradable }) => tradable);
    expect(tradable).toEqual([false, false, true, false, false, true, true, true, false]);
    expect(parties.map(({ creditStatus }) => creditStatus)).toEqual(["ok", "ok", "ok"]);
    expect(stateOf(marketDefinition.parse({ ...smallMarket(), creditDefaults: undefined })).parties[0]?.creditStatus)
      .toBe("none");
  });

  test("begins with the number of its epoch, at its time, and with nothing counted", () => {
    const state = stateOf(smallMarket());
    expect([state.sequence, state.epoch, state.now, state.realNow, state.clock.mode, state.retention])
      .toEqual([EPOCH, EPOCH, START, START, "real", DEFAULT_RETENTION]);
    const fast = createState(smallMarket(), {
      engineId: "test",
      epoch: EPOCH,
      now: START,
      clock: { mode: "fast", speed: 60 },
      retention: { closedOrders: 1, trades: 2 },
    });
    // The market's time says nothing of the real one.
    expect([fast.realNow, fast.clock.speed, fast.retention.trades]).toEqual([0, 60, 2]);
    expect({ ...state.counters, contract: 0 })
      .toEqual({ order: 0, priority: 0, fill: 0, trade: 0, audit: 0, contract: 0 });
  });
});

test("a change in the ledger tells of each pair and entity as soon as the status is updated", () => {
  const state = stateOf(smallMarket());
  state.ledger.setDocumentation(GAMMA, ALPHA, "no_docs");
  state.ledger.replaceLimits(BETA, ALPHA, []);
  state.ledger.replaceLimits(BETA, GAMMA, [{ limitType: "mw", contract: null, limit: 0.5, marginPercent: 100 }]);
  updateCreditStatus(state);
  expect(state.pairs.map(({ tradable }) => tradable)).toEqual(Array(9).fill(false).fill(true, 5, 6).fill(true, 7, 8));
  state.ledger.replaceLimits(BETA, GAMMA, [{ limitType: "mw", contract: null, limit: 0.4, marginPercent: 100 }]);
  updateCreditStatus(state);
  expect(state.pairs.some(({ tradable }) => tradable)).toBe(false);
  expect(state.parties.map(({ creditStatus }) => creditStatus)).toEqual(["ok", "exhausted", "ok"]);
});

describe("the next change by the clock", () => {
  const none = { ...smallMarket(), contracts: [] };

  test("is the earliest of deliveries, listings and sessions, and there may be none", () => {
    expect(nextDeadline(stateOf(none))).toBeNull();
    expect(nextDeadline(stateOf(smallMarket()))).toBe(Date.parse("2026-01-20T17:00:00Z"));
    expect(nextDeadline(stateOf(scheduledMarket()))).toBe(Date.parse("2026-01-14T13:30:00Z"));
    const [north, ...others] = smallMarket().products;
    const listing = { ahead: 1, at: "10:00", hours: "base" as const };
    expect(nextDeadline(stateOf({ ...none, products: [{ ...north!, type: "base", listing }, ...others] })))
      .toBe(Date.parse("2026-01-14T15:00:00Z"));
  });

  test("is that of the market whose session changes first, and of the first of the definition if several do", () => {
    const [market] = scheduledMarket().markets;
    const later = { ...market!.schedule!, preopen: "08:45" };
    const named = (id: string, schedule = market!.schedule) => ({ ...market!, id, code: id, schedule });
    const next = (...markets: MarketDefinition["markets"]) =>
      nextMarketToChange(stateOf({ ...none, markets }))?.definition.id;
    expect(next(named("M1", null), named("M2"), named("M3"))).toBe("M2");
    expect(next(named("M1", later), named("M2"), named("M3"))).toBe("M2");
    expect(next(named("M1"), named("M2", later))).toBe("M1");
    expect(next(named("M1", null))).toBeUndefined();
  });
});
