import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Engine } from "../../../engine/engine.ts";
import { applyCall } from "../../../engine/journal/journal-call.ts";
import { randomCalls, randomMarket } from "../journal/random-calls.ts";
import { size } from "../../support/sizes.ts";
import { wholeCheckpoint } from "../support/checkpoints.ts";
import { EPOCH, SECRET, smallMarket, START } from "../support/market.ts";
import { readExecution } from "../support/read-execution.ts";

const OPTIONS = { epoch: EPOCH, now: START, engineId: "test-engine", secret: SECRET };

describe("an engine restored from a checkpoint", () => {
  test.each([
    ["with its whole history", undefined],
    ["with a short history", { closedOrders: 6, trades: 4 }],
  ])("%s answers every later call as the original does, byte for byte", (_, retention) => {
    const options = { ...OPTIONS, retention };
    let [trades, settled, valuedAtSpot] = [0, 0, 0];
    fc.assert(
      fc.property(randomCalls(20, 150), fc.nat(150), (calls, restoredAt) => {
        const engine = new Engine(randomMarket(), options);
        for (const call of calls.slice(0, restoredAt)) applyCall(engine, call);
        const restored = Engine.restore(randomMarket(), wholeCheckpoint(engine), options);
        expect(wholeCheckpoint(restored)).toEqual(wholeCheckpoint(engine));
        for (const call of calls.slice(restoredAt)) {
          const [execution, expected] = [restored, engine].map((each) => {
            const execution = applyCall(each, call);
            return JSON.stringify(execution && readExecution(execution));
          });
          expect(execution).toBe(expected!);
        }
        const now = calls.at(-1)?.now ?? START;
        for (const entityId of ["ALPHA", "BETA", "GAMMA"]) {
          const positions = engine.positions(entityId, now);
          expect(restored.positions(entityId, now)).toEqual(positions);
          settled += positions?.totals.settled.contracts ?? 0;
          valuedAtSpot += positions?.positions.filter(({ markSource }) => markSource === "spot").length ?? 0;
        }
        expect(JSON.stringify([...restored.snapshot(now)])).toBe(JSON.stringify([...engine.snapshot(now)]));
        expect([restored.epoch, restored.sequence, restored.nextDeadline()])
          .toEqual([engine.epoch, engine.sequence, engine.nextDeadline()]);
        trades += [...engine.snapshot(now)].filter(({ type }) => type === "TRADE").length;
      }),
      { numRuns: size(30, 2000) },
    );
    expect(trades).toBeGreaterThan(20);
    expect([settled > 0, valuedAtSpot > 0]).toEqual([true, true]);
  });

  test("throws under a definition with other entities", () => {
    const engine = new Engine(smallMarket(), OPTIONS);
    const definition = { ...smallMarket(), entities: smallMarket().entities.slice(1), users: [] };
    expect(() => Engine.restore(definition, engine.checkpoint(), OPTIONS)).toThrow(/^the checkpoint has 3 entities/);
  });
});
