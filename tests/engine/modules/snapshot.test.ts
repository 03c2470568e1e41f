import { expect, test } from "bun:test";
import { Engine } from "../../../engine/engine.ts";
import type { StateMessage } from "../../../protocol/index.ts";
import { EngineDriver } from "../support/engine-driver.ts";
import { START, USERS } from "../support/market.ts";

const { alpha, beta, gamma, blind, stranger } = USERS;

/** The last of two bids is filled first, so fills and orders differ in their order. */
function traded(): Engine {
  const driver = new EngineDriver();
  driver.buy(alpha, { price: 5, quantity: 2 });
  driver.buy(gamma, { price: 6, quantity: 1 });
  for (let count = 0; count < 3; count++) driver.sell(beta, { price: 5, quantity: 1 });
  return driver.engine;
}

/** The ids of each type, in the order in which they come. */
function listed(engine: Engine, userId?: string): Record<string, string[]> {
  const viewer = userId === undefined ? null : engine.user(userId) ?? null;
  const messages = [...engine.snapshot(START, viewer)].map(({ text }) => JSON.parse(text) as StateMessage);
  const paths = messages.map(({ statePath }) => statePath.split("/"));
  const types = Map.groupBy(paths, ([, type = ""]) => type);
  return Object.fromEntries([...types].map(([type, each]) => [type, each.map(([, , id = ""]) => id)]));
}

const ALL = {
  MARKET: ["M1"],
  PRODUCT: ["N-HOUR", "S-PEAK"],
  CONTRACT: ["N-H12", "S-PK"],
  ENTITY: ["ALPHA", "BETA", "GAMMA"],
  USER: Object.values(USERS),
  CREDIT: ["ALPHA:BETA", "ALPHA:GAMMA", "BETA:ALPHA", "BETA:GAMMA", "GAMMA:ALPHA", "GAMMA:BETA"],
  ENGINE: ["ENG-N-H12", "ENG-S-PK"],
  QUEUE: ["QUE-N-H12", "QUE-S-PK"],
  ORDER: ["ORD-1", "ORD-2", "ORD-3", "ORD-4", "ORD-5"],
  TRADE: ["TRD-1", "TRD-2", "TRD-3"],
  FILL: ["FIL-1", "FIL-2", "FIL-3", "FIL-4", "FIL-5", "FIL-6"],
};

test("a snapshot lists each type before what refers to it, and the modules of a type oldest first", () => {
  const all = listed(traded());
  expect(Object.keys(all)).toEqual(Object.keys(ALL));
  expect({ ...all, USER: all["USER"]?.toSorted() }).toEqual({ ...ALL, USER: ALL.USER.toSorted() });
});

test("a snapshot lists to a user without Market.View what is of the own entity, in the same order", () => {
  const { ENTITY, USER, CREDIT, ORDER, TRADE, FILL } = listed(traded(), blind);
  expect({ ENTITY, USER: USER?.toSorted(), CREDIT, ORDER, TRADE, FILL }).toEqual({
    ENTITY: ["BETA"],
    USER: [beta, blind].toSorted(),
    CREDIT: ["BETA:ALPHA", "BETA:GAMMA"],
    ORDER: ["ORD-3", "ORD-4", "ORD-5"],
    TRADE: ["TRD-1", "TRD-2", "TRD-3"],
    FILL: ["FIL-2", "FIL-4", "FIL-6"],
  });
});

test("a snapshot lists to a user with Market.View and of no entity every order and fill, and no limit", () => {
  const { CREDIT, FILL, ORDER } = listed(traded(), stranger);
  expect([CREDIT, ORDER?.length, FILL]).toEqual([undefined, 5, ALL.FILL]);
});
