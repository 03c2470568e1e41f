import { expect, test } from "bun:test";
import fc from "fast-check";
import { ContractDeadlines } from "../../../engine/state/contract-deadlines.ts";
import type { ContractState } from "../../../engine/state/market-state.ts";
import { HOUR_MS } from "../../../protocol/time-units.ts";

/** Few times, so that many are equal; a contract in each phase of its life. */
const added = fc.record({
  start: fc.nat(3),
  hours: fc.integer({ min: 1, max: 2 }),
  phase: fc.constantFrom("open", "expired", "delivered"),
});
const step = fc.oneof({ weight: 2, arbitrary: added }, { weight: 1, arbitrary: fc.constant("take" as const) });

test("deadlines come by time, begins of deliveries first, then in the order of listing", () => {
  fc.assert(fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
    const deadlines = new ContractDeadlines();
    let plain: { time: number; rank: number; serial: number }[] = [];
    for (const [at, step] of steps.entries()) {
      // In no order: the place among equals does not come from the order of the calls.
      const serial = (at * 37) % 101;
      if (step === "take") {
        const first = plain.shift();
        expect(deadlines.first?.contract.serial).toBe(first?.serial as number);
        const taken = deadlines.take();
        expect([taken?.time, taken?.isBegin, taken?.contract.serial])
          .toEqual([first?.time, first && first.rank === 0, first?.serial]);
        continue;
      }
      const { start, hours, phase } = step;
      const contract = {
        serial,
        deliveryStart: start * HOUR_MS,
        deliveryEnd: (start + hours) * HOUR_MS,
        expired: phase !== "open",
        delivered: phase === "delivered",
        market: { definition: { keepDeliveredHours: 2 } },
      };
      deadlines.add(contract as ContractState);
      const time = phase === "open" ? start : start + hours + (phase === "delivered" ? 2 : 0);
      plain = [...plain, { time: time * HOUR_MS, rank: phase === "open" ? 0 : 1, serial }]
        .sort((one, other) => one.time - other.time || one.rank - other.rank || one.serial - other.serial);
    }
    while (plain.length > 0) expect(deadlines.take()?.contract.serial).toBe(plain.shift()?.serial as number);
    expect(deadlines.first).toBeUndefined();
  }));
});
