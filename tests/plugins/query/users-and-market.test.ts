// Users, whose entity may be named in another form, and the state of a market, at market time.

import { expect, test } from "bun:test";
import { NEUTRAL_ADVICE } from "../../../core/advice.ts";
import market from "../../../plugins/query/market.ts";
import users from "../../../plugins/query/users.ts";
import { wholeModule } from "../../support/modules.ts";
import { ownSignal } from "../../support/own-signal.ts";
import { snapshotOf } from "../support/snapshot-of.ts";

const user = (id: string, entityId: string) => wholeModule("USER", { id, entityId, name: `Name of ${id}` });

function contextOf() {
  const asked: unknown[][] = [];
  const signal = ownSignal();
  const all = (name: string, items: object[]) => (...given: unknown[]) => {
    asked.push([name, ...given]);
    return Promise.resolve(items);
  };
  const entities = ["A", "B", "Empty"].map((id) => wholeModule("ENTITY", { id, name: id }));
  const context = {
    signal,
    snapshot: snapshotOf({}),
    advice: NEUTRAL_ADVICE,
    pubsub: { session: { userId: "u", entityId: "A", capabilities: ["Market.View"] } },
    backend: {
      users: all("users", [user("u1", "A"), user("u2", "B"), user("u3", "A")]),
      entities: all("entities", entities),
    },
  };
  return { context: context as never, asked, signal };
}

test.each<[string | undefined, string[], boolean]>([
  [undefined, ["u1", "u2", "u3"], false],
  ["A", ["u1", "u3"], false],
  ["b", ["u2"], true],
  ["Empty", [], true],
])("users of the entity %p are %j; entities are asked for: %p", async (entityId, ids, areAsked) => {
  const { context, asked, signal } = contextOf();
  const answer = await users[1]!.handler({ entityId, limit: 100 } as never, context) as Record<string, unknown>;
  expect((answer["users"] as { id: string }[]).map(({ id }) => id)).toEqual(ids);
  expect([answer["count"], answer["total"]]).toEqual([ids.length, ids.length]);
  expect(asked).toEqual([["users", signal], ...(areAsked ? [["entities", signal]] : [])]);
});

test("an entity that nobody has is not one without users", async () => {
  const list = Promise.resolve(users[1]!.handler({ entityId: "Z", limit: 100 } as never, contextOf().context));
  await expect(list).rejects.toMatchObject({ code: "not_found", message: 'There is no ENTITY "Z".' });
});

test("one user is asked for with the call's signal", async () => {
  const { context, asked, signal } = contextOf();
  expect(await users[0]!.handler({ userId: "U2" } as never, context)).toMatchObject({ id: "u2", entityId: "B" });
  expect(asked).toEqual([["users", signal]]);
});

test("the state of a market is that of its module, at market time", async () => {
  const state = {
    name: "Power",
    code: "P",
    status: "halted",
    halted: true,
    haltReason: "Why.",
    preopen: "2030-06-01T06:00:00.000Z",
    open: "2030-06-01T07:00:00.000Z",
    close: "2030-06-01T08:00:00.000Z",
    timezone: "UTC",
    nodes: ["N"],
  };
  const snapshot = snapshotOf({ "/MARKET/m1": state, "/MARKET/m2": { ...state, name: "Gas" } });
  const context = { snapshot, pubsub: { marketTime: () => Date.UTC(2030, 0, 2) } } as never;
  const ask = async (marketId?: string) => await market[0]!.handler({ marketId } as never, context) as object;
  const expected = { ...state, id: "m1", currentTime: "2030-01-02T00:00:00.000Z" };
  expect(await ask()).toEqual(expected);
  expect(await ask("M2")).toEqual({ ...expected, id: "m2", name: "Gas" });
  expect(market.map(({ requires }) => requires)).toEqual([{ connection: "read" }, { connection: "read" }]);
});
