import { expect, spyOn, test } from "bun:test";
import { UserRate } from "../../../common/http/guards/user-rates.ts";
import { size } from "../../support/sizes.ts";
import { embedTestSimulator } from "./support.ts";
import { until } from "../../support/until.ts";
import { atEnd } from "../../support/at-end.ts";
import { startTestEngine } from "../../support/engines.ts";

const EACH = size(15, 100);

test(`${2 * EACH} personas of one entity, and so of one user, stay below the user's rates at speed 1000`, async () => {
  const engine = await startTestEngine();
  const simulator = embedTestSimulator(engine);
  const [entity] = engine.definition.entities;
  const taken = spyOn(UserRate.prototype, "takeMessage");
  atEnd(() => taken.mockRestore());
  await simulator.start({
    preset: "stress",
    speed: 1000,
    seed: 3,
    personas: [
      { strategy: "avellaneda-stoikov", count: EACH, entityId: entity?.id },
      { strategy: "zic", count: EACH, entityId: entity?.id },
    ],
  });
  expect(simulator.status().totals.connected).toBe(2 * EACH);
  const before = taken.mock.results.length;
  await until(() => taken.mock.results.length > before + 500, "500 requests");
  expect(taken.mock.results.filter(({ value }) => value !== null)).toEqual([]);
});
