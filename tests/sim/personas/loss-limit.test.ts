// A persona that loses more than its limit withdraws, stays out until the next local day, and comes back with half its size.

import { describe, expect, test } from "bun:test";
import { BUY, SELL } from "../../../engine/market/order-book.ts";
import { LossLimit } from "../../../sim/personas/loss-limit.ts";
import type { PersonaAction, PersonaView } from "../../../sim/personas/persona.ts";
import type { PhysicalAsset } from "../../../sim/personas/physical/physical-asset.ts";
import type { StrategyPersona } from "../../../sim/personas/strategy-persona.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { LocalCalendar } from "../../../sim/spot/local-calendar.ts";
import { ChosenRandom } from "../strategies/support.ts";
import { always, contract, HOUR, personaWith, START, view } from "./support.ts";

function limitOf(dollars: number | null, timezone = "UTC"): LossLimit {
  return new LossLimit({ dollars, calendar: new LocalCalendar(timezone), random: new SeededRandom(1) });
}

describe("a loss limit", () => {
  test("stops at a loss above it until the next local day", () => {
    const limit = limitOf(1_000, "America/Chicago");
    expect(limit.isStoppedAt(START, () => -1_000)).toBe(false);
    expect(limit.isStoppedAt(START + 5 * HOUR, () => -1_001)).toBe(true);
    // 2 March, 12:00 UTC is 6:00 in Chicago.
    expect(limit.stoppedUntil).toBe(START + 18 * HOUR);
    expect(limit.isStoppedAt(START + 18 * HOUR - 1, () => 0)).toBe(true);
    expect(limit.isStoppedAt(START + 18 * HOUR, () => -1_001)).toBe(false);
    expect([limit.stoppedUntil, limit.stops, limit.sizeShare]).toEqual([null, 1, 0.5]);
  });

  test("counts losses from the last return on", () => {
    const limit = limitOf(1_000);
    limit.isStoppedAt(START, () => -1_500);
    expect(limit.isStoppedAt(START + 24 * HOUR, () => -2_000)).toBe(false);
    expect(limit.isStoppedAt(START + 30 * HOUR, () => -3_000)).toBe(false);
    expect(limit.isStoppedAt(START + 35 * HOUR, () => -3_001)).toBe(true);
    expect([limit.stops, limit.sizeShare]).toEqual([2, 0.5]);
  });

  test("ends on the right day when clocks change", () => {
    const limit = limitOf(1_000, "America/Chicago");
    const night = Date.UTC(2026, 2, 8, 7);
    limit.isStoppedAt(night, () => -1_500);
    // 8 March has 23 hours in Chicago, and ends at 5:00 UTC.
    expect(limit.stoppedUntil).toBe(Date.UTC(2026, 2, 9, 5));
  });

  test.each([["Asia/Kolkata", Date.UTC(2026, 2, 2, 18, 30)], ["Asia/Kathmandu", Date.UTC(2026, 2, 2, 18, 15)]])(
    "ends with the day of %s, which is no full hour",
    (timezone, midnight) => {
      const limit = limitOf(1_000, timezone);
      limit.isStoppedAt(START + HOUR / 9, () => -1_500);
      expect(limit.stoppedUntil).toBe(midnight);
    },
  );

  test("values the result at times of its own, ten minutes apart on the mean", () => {
    const random = new ChosenRandom(0.3, 2, 9);
    const limit = new LossLimit({ dollars: 1_000, calendar: new LocalCalendar("UTC"), random });
    const minutes = [0, 2.9, 3, 22.9, 23, 112];
    const valued = minutes.filter((minute) => {
      let valuations = 0;
      limit.isStoppedAt(START + minute * HOUR / 60, () => valuations++);
      return valuations > 0;
    });
    expect(valued).toEqual([0, 3, 23]);
  });

  test("of null never values anything", () => {
    expect(limitOf(null).isStoppedAt(START, () => expect.unreachable())).toBe(false);
  });

  test("values the result about every ten minutes", () => {
    const limit = limitOf(1_000);
    let valuations = 0;
    for (let time = START; time < START + 100 * HOUR; time += 1_000) {
      limit.isStoppedAt(time, () => {
        valuations += 1;
        return 0;
      });
    }
    expect(valuations).toBeWithin(500, 700);
  });
});

describe("a persona that loses more than its limit", () => {
  const ONLY = contract(0);
  const at = (time: number, bestBid: number, bestAsk: number): PersonaView =>
    view({ time, book: () => ({ bestBid, bestAsk, lastPrice: null }) });

  /** The reference of the order that a persona sends, and has accepted. */
  function accepted(persona: StrategyPersona, time: number): number {
    const [{ reference }] = persona.act(at(time, 3_900, 4_100)) as [PersonaAction];
    persona.onAccepted(reference);
    return reference;
  }

  /** A buyer of 10 MW at 4,000 for each of 24 hours, whose position is then valued at 1,000: it has lost $7,200. */
  function loser(lossLimit: number, asset?: PhysicalAsset) {
    const persona = personaWith({ contracts: [ONLY], strategy: always(4_000, 10_000, 0, 0), lossLimit, asset });
    persona.onFill(accepted(persona, START), 4_000, 10_000);
    return { persona, working: accepted(persona, START + 1) };
  }

  test("withdraws its orders, trades nothing until the next day, and then with half its size", () => {
    const { persona, working } = loser(7_000);
    expect(persona.act(at(START + 5 * HOUR, 900, 1_100))).toEqual([{ kind: "cancel", reference: working }]);
    persona.onAccepted(working);
    persona.onClosed(working);
    expect(persona.act(at(START + 11 * HOUR, 900, 1_100))).toEqual([]);
    expect(persona.economics).toMatchObject({ lossLimit: 7_000, stops: 1, stoppedUntil: START + 12 * HOUR });
    const half = { kind: "submit", side: BUY, quantity: 5_000 };
    expect(persona.act(at(START + 12 * HOUR, 900, 1_100))).toMatchObject([half]);
    expect(persona.economics.stoppedUntil).toBeNull();
  });

  test.each<[string, number, PhysicalAsset | undefined]>([
    ["below its limit", 7_300, undefined],
    [
      "if its unit or load has earned enough",
      7_000,
      { node: "NORTH", result: 1_000 * 6_000_000, settle: () => {}, termsOf: () => null },
    ],
  ])("goes on %s", (_, lossLimit, asset) => {
    const { persona } = loser(lossLimit, asset);
    persona.act(at(START + 5 * HOUR, 900, 1_100));
    expect(persona.economics).toMatchObject({ stops: 0, stoppedUntil: null });
  });

  test("keeps half of its position limit", () => {
    const limits = { contractPositionMw: 6 };
    const strategy = always(0, 0, 4_000, 1_000_000);
    const persona = personaWith({ contracts: [ONLY], strategy, lossLimit: 7_000, limits });
    const [action] = persona.act(at(START, 3_900, 4_100)) as [PersonaAction];
    expect(action).toMatchObject({ side: SELL, quantity: 6_000 });
    persona.onAccepted(action.reference);
    persona.onFill(action.reference, 4_000, 4_000);
    persona.onClosed(action.reference);
    persona.act(at(START + 5 * HOUR, 99_000, 99_000));
    expect(persona.economics.stops).toBe(1);
    expect(persona.act(at(START + 13 * HOUR, 99_000, 99_000))).toEqual([]);
  });
});
