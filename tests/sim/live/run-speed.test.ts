import { expect, test } from "bun:test";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { FEW, simulated } from "./support.ts";
import { until } from "../../support/until.ts";

test("a market in which nobody publishes spot prices gets its speed by an operator", async () => {
  const definition = builtInMarket();
  const users = definition.users.map((user) => ({
    ...user,
    permissions: user.permissions.filter((permission) => permission !== "Spot.Publish"),
  }));
  const { engine, api } = await simulated({ definition: { ...definition, users } });
  expect((await api.start({ ...FEW, speed: 100 })).speed).toBe(100);
  expect(engine.clock()).toEqual({ mode: "fast", speed: 100 });
  await api.stop();
  expect(engine.clock()).toEqual({ mode: "fast", speed: 1 });
});

test.each([0, 3, 10, 30])("a stop during a start, after %d looks at it, leaves the speed as it was", async (looks) => {
  const { engine, api } = await simulated();
  const starting = api.post("/api/sim/start", { ...FEW, speed: 100 });
  await until(async () => (await api.status()).status !== "stopped", "the start");
  for (let look = 0; look < looks; look++) await api.status();
  await api.stop();
  await starting;
  expect(engine.clock().speed).toBe(1);
});
