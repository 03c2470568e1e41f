import { expect, test } from "bun:test";
import fc from "fast-check";
import { logger } from "../../../common/logger.ts";
import { type ClockSetting, LOCKSTEP_CLOCK, REAL_CLOCK } from "../../../protocol/index.ts";
import { SqliteAuditStore } from "../../../engine/audit/sqlite-audit-store.ts";
import type { EngineRequest } from "../../../engine/api/market-engine.ts";
import { EngineHost } from "../../../engine/server/host/engine-host.ts";
import { recoverEngine } from "../../../engine/server/recovery/recover-engine.ts";
import { size } from "../../support/sizes.ts";
import { EPOCH, SECRET, START, USERS } from "../support/market.ts";
import { MemoryDisk, MemoryJournal } from "../support/memory-journal.ts";
import { randomCalls, randomMarket } from "./random-calls.ts";

const LOG = logger("test");
const YEAR_MS = 365 * 86_400_000;
const CLOCKS: readonly ClockSetting[] = [REAL_CLOCK, { mode: "fast", speed: 90 }, LOCKSTEP_CLOCK];

/** What comes before a call: nothing, another speed, or a step of so many milliseconds. */
const clockChange = fc.oneof(
  { weight: 8, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.record({ speed: fc.constantFrom(0.1, 1, 10, 1000) }) },
  { weight: 2, arbitrary: fc.record({ stepMs: fc.constantFrom(0, 1, 60_000, 7_200_000, 86_400_000) }) },
);

function requestOf(change: { speed: number } | { stepMs: number }, host: EngineHost, place: number): EngineRequest {
  const sender = { userId: USERS.operator, operationId: `clock-${place}` };
  if ("speed" in change) return { ...sender, action: "clock.set", payload: change };
  const to = new Date(host.marketTime() + change.stepMs).toISOString();
  return { ...sender, action: "clock.advance", payload: { to } };
}

test("a replay of a journal with both times and changes of the clock gives the same state", () => {
  const withChanges = randomCalls(20, 120).chain((calls) =>
    fc.tuple(...calls.map((call) => fc.tuple(fc.constant(call), clockChange)))
  );
  const run = (clock: ClockSetting, calls: readonly (readonly [{ readonly now: number }, unknown])[]) => {
    const disk = new MemoryDisk();
    const header = { engineId: "e", epoch: EPOCH, startedAt: START, clock, definition: randomMarket() };
    let now = START + (clock.mode === "real" ? 0 : YEAR_MS);
    const began = now;
    const recovered = () => {
      const audit = SqliteAuditStore.inMemory({ now: () => now });
      const options = { secret: SECRET, now: () => now, log: LOG, header: () => header };
      return recoverEngine({ ...options, store: new MemoryJournal(disk), audit });
    };
    const first = recovered();
    const host = new EngineHost({ ...first, now: () => now, log: LOG, defer: () => {} });
    for (const [place, [call, change]] of calls.entries()) {
      now = began + call.now - START;
      if (change !== null) host.execute(requestOf(change as { speed: number }, host, place));
      if ("kind" in call && call.kind === "execute") host.execute(call as unknown as EngineRequest);
      if (place % 7 === 0) host.flush();
    }
    // A repeat leaves no record. This call does, with the times that the engine has then.
    host.announce(USERS.alpha);
    host.flush();
    const state = JSON.stringify([...first.engine.checkpoint()]);
    expect(JSON.stringify([...recovered().engine.checkpoint()])).toBe(state);
    return first.engine;
  };
  for (const clock of CLOCKS) {
    fc.assert(
      fc.property(withChanges, (calls) => {
        const { now, realNow, clock: { mode } } = run(clock, calls);
        if (mode === "real") expect(now).toBe(realNow);
      }),
      { numRuns: size(4, 300) },
    );
  }
});
