// What a population does when contracts are listed, go to delivery and leave the market, and when somebody joins it.

import { expect, test } from "bun:test";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { presetExperiment } from "../../../sim/experiment/read-experiment.ts";
import type { Persona } from "../../../sim/personas/persona.ts";
import { Population } from "../../../sim/population/population.ts";
import { constantSpot, contract, HOUR, START } from "../personas/support.ts";

/** A population of one persona, and a trader who has joined it. */
function course(price: () => number = () => 4_000.4, strategy = "zic") {
  const told: unknown[] = [];
  const joined = {
    id: "agent",
    onMarketUpdate: ({ contract: { id }, price: at }: { contract: { id: string }; price: number }) =>
      told.push(["update", id, at]),
    onDelivery: ({ id }: { id: string }) => told.push(["delivery", id]),
    onRemoved: ({ id }: { id: string }, last: () => number) => told.push(["removed", id, last()]),
  } as unknown as Persona;
  const thin = presetExperiment("thin");
  const settings = {
    ...thin,
    personas: [{ strategy, count: 1 }],
    trading: { ...thin.trading, contractsPerProduct: 2 },
  };
  const spot = constantSpot(price);
  const population = new Population({ market: builtInMarket(), settings, seed: 1, spot, startTime: START });
  population.join([joined]);
  return { population, joined, told };
}

const [FIRST, SECOND] = [
  contract(0),
  contract(1, { deliveryStart: START + 30 * HOUR, deliveryEnd: START + 54 * HOUR }),
];

test("who joins comes after the personas, and hears of every trade and quote", () => {
  const { population, joined, told } = course();
  population.listed(FIRST, START);
  expect(population.personas.map(({ id }) => id)).toEqual(["zic-1", "agent"]);
  expect(population.personas[1]).toBe(joined);
  for (const isTrade of [true, false]) {
    expect(population.listeners.isHeard(FIRST, isTrade)).toBe(true);
    const update = { contract: FIRST, side: 0 as const, price: isTrade ? 1 : 2, quantity: 1, isTrade };
    population.listeners.publish(update, {} as never);
  }
  expect(told).toEqual([["update", "C0", 1], ["update", "C0", 2]]);
});

test("a contract is traded until its delivery begins, and is in the market until it is removed", () => {
  const { population, told } = course();
  const known = () => [[...population.contracts], population.profile.at(START)].map((all) => all.map(({ id }) => id));
  population.listed(FIRST, START);
  population.listed(SECOND, START, true);
  expect(known()).toEqual([["C0", "C1"], ["C0"]]);
  population.started("C0", START + HOUR);
  expect(known()).toEqual([["C0", "C1"], []]);
  expect(told).toEqual([["delivery", "C0"]]);
  population.removed("C1", START + HOUR);
  population.removed("C0", START + 2 * HOUR);
  expect(known()).toEqual([[], []]);
  expect(told.slice(1).map((each) => (each as string[]).slice(0, 2))).toEqual([["removed", "C1"], ["removed", "C0"]]);
  for (const [, , last] of told.slice(1) as number[][]) expect(Number.isInteger(last)).toBe(true);
  expect(population.contract("C0")).toBeUndefined();
  expect(() => population.forecasts.best(FIRST)).toThrow();
  // What is not there any more is told to nobody.
  population.started("C0", START + 3 * HOUR);
  population.removed("C0", START + 3 * HOUR);
  expect(told).toHaveLength(3);
});

test("nobody listens to a contract that has left, though another one is still heard", () => {
  const { population, told } = course();
  const heard: string[] = [];
  for (const each of [FIRST, SECOND]) {
    population.listed(each, START);
    population.listeners.listen(each, { onMarketUpdate: () => heard.push(each.id) }, "quotes");
  }
  population.removed("C0", START);
  told.length = 0;
  for (const each of [FIRST, SECOND]) {
    population.listeners.publish({ contract: each, side: 0, price: 1, quantity: 1, isTrade: true }, {} as never);
  }
  expect(heard).toEqual(["C1"]);
});

test("only open books of traded contracts are looked at", () => {
  const { population } = course();
  population.listed(FIRST, START);
  population.listed(SECOND, START);
  const looked: string[] = [];
  const book = ({ id }: { id: string }) => {
    looked.push(id);
    return { bestBid: 3_900, bestAsk: 4_100, lastPrice: null };
  };
  population.sampleBooks(START, ({ id }) => id === "C1", book);
  expect([looked, population.metrics.bookSamples.count]).toEqual([["C1"], 1]);
  population.started("C1", START);
  population.sampleBooks(START + HOUR, () => true, book);
  expect([looked, population.metrics.bookSamples]).toMatchObject([["C1", "C0"], { count: 2, until: START + HOUR }]);
});

test("values follow spot prices once they have moved", () => {
  let price = 4_000;
  const { population } = course(() => price);
  population.listed(FIRST, START);
  const before = population.forecasts.best(FIRST);
  price = 5_000;
  population.spotMoved(START + HOUR);
  expect(population.forecasts.best(FIRST) - before).toBeGreaterThan(500);
});

test("personas know the value of a contract as well as anybody once its delivery has begun", () => {
  const { population } = course();
  const third = contract(2, { productId: "P2" });
  population.listed(FIRST, START);
  population.listed(SECOND, START, true);
  population.listed(third, START);
  population.started("C0", START + HOUR);
  const [persona] = population.personas;
  const errors = [FIRST, SECOND, third].map((each) =>
    persona!.forecast(each, START + HOUR) - population.forecasts.best(each)
  );
  expect(errors.map((error) => error === 0)).toEqual([true, true, false]);
});

test("so many deliveries of a product are traded as the settings say, and loads are settled as spot prices move", () => {
  const { population } = course(undefined, "retailer");
  const deliveries = [0, 1, 2].map((index) =>
    contract(index, { productId: "P", type: "month", deliveryStart: START + (index + 1) * HOUR })
  );
  for (const each of deliveries) population.listed(each, START);
  expect(population.profile.at(START)).toEqual(deliveries.slice(0, -1));
  const [retailer] = population.personas;
  for (const hours of [0.99, 1]) {
    population.advanceSpotTo(START + hours * HOUR);
    population.spotMoved(START + hours * HOUR);
    expect(retailer!.economics.physicalResult !== 0).toBe(hours === 1);
  }
});
