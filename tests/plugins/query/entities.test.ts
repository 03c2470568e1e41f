// Entities as tools give them, with and without positions, and what a user who sees only a part is told.

import { expect, jest, test } from "bun:test";
import { NEUTRAL_ADVICE } from "../../../core/advice.ts";
import entities from "../../../plugins/query/entities.ts";
import * as positions from "../../../plugins/query/entity-positions.ts";
import { partNote, partyMeant } from "../../../plugins/query/party-view.ts";
import { wholeModule } from "../../support/modules.ts";
import { ownSignal } from "../../support/own-signal.ts";
import { replaced } from "../../support/replaced.ts";
import { snapshotOf } from "../support/snapshot-of.ts";

const [get, list] = entities;
const entity = (id: string) => wholeModule("ENTITY", { id, name: `Name of ${id}` });

function contextOf({ ids = ["A", "B"], capabilities = ["Market.View"] as readonly string[] | null } = {}) {
  const signal = ownSignal();
  const asked = jest.fn((..._all: unknown[]) => Promise.resolve(ids.map(entity)));
  const users = jest.fn((..._all: unknown[]) => Promise.resolve([{ id: "u", permissions: ["Market.View"] }]));
  const context = {
    signal,
    snapshot: snapshotOf({}),
    advice: NEUTRAL_ADVICE,
    server: { tools: new Map() },
    configuration: { backend: { userId: "u" } },
    pubsub: { session: capabilities === null ? null : { userId: "u", entityId: "A", capabilities } },
    backend: { entities: asked, users },
  };
  return { context: context as never, asked: asked.mock.calls, users: users.mock.calls, signal };
}
const PART = "User u lacks the permission Market.View, and sees only the own entity and its users.";

test.each<[object, boolean]>([
  [{}, false],
  [{ positions: false }, false],
  [{ positions: true }, true],
  [{ day: "2030-06-01" }, true],
  [{ by: "day" }, true],
  [{ fields: ["cash"] }, true],
  [{ positions: true, cursor: "c" }, true],
  [{ positions: false, day: "2030-06-01" }, false],
])("an entity asked for with %j comes with its positions: %p", async (given, has) => {
  const { context, asked, signal } = contextOf();
  const shown = replaced(positions, "positionsShown", () => Promise.resolve({ count: 0 }));
  const answer = await get!.handler({ entityId: "a", limit: 30, ...given } as never, context) as object;
  expect(asked).toEqual([[signal]]);
  expect(answer).toMatchObject({ id: "A", name: "Name of A", ...(has && { count: 0 }) });
  const { positions: _, ...request } = { limit: 30, ...given } as Record<string, unknown>;
  expect<unknown>(shown.map(([id, of, where]) => [id, of, where === context])).toEqual(
    has ? [["A", request, true]] : [],
  );
});

test("a cursor without positions is refused before anything is asked", async () => {
  const { context, asked } = contextOf();
  for (const given of [{}, { positions: false }]) {
    const answer = Promise.resolve(get!.handler({ entityId: "A", limit: 30, cursor: "c", ...given } as never, context));
    await expect(answer).rejects.toMatchObject({
      code: "invalid_input",
      message: "cursor: only positions have pages.",
    });
  }
  expect(asked).toEqual([]);
});

test("entities come page by page with the columns that are asked for, and the note of a part", async () => {
  const { context, asked, signal } = contextOf({ ids: ["A", "B", "C"] });
  const ask = async (given: object, of = context) =>
    await list!.handler({ limit: 2, ...given } as never, of) as Record<string, unknown>;
  const first = await ask({ fields: ["name"] });
  expect(first).toMatchObject({ count: 2, total: 3, hasMore: true });
  expect(first["entities"]).toEqual([{ id: "A", name: "Name of A" }, { id: "B", name: "Name of B" }]);
  expect(first).not.toHaveProperty("note");
  const second = await ask({ cursor: first["cursor"] });
  expect(second).toMatchObject({ count: 1, total: 3, hasMore: false, cursor: null, entities: [{ id: "C" }] });
  expect(asked).toEqual([[signal], [signal]]);
  expect(await ask({}, contextOf({ ids: ["A"], capabilities: [] }).context)).toMatchObject({ note: PART });
});

test.each<[string, readonly object[], readonly string[] | null, string | undefined, number]>([
  ["two entities", [{ id: "A" }, { id: "B" }], [], undefined, 0],
  ["one entity", [{ id: "A" }], [], PART, 0],
  ["one entity, with Market.View", [{ id: "A" }], ["Market.View"], undefined, 0],
  ["none", [], [], PART, 0],
  ["users of one entity", [{ id: "u", entityId: "A" }, { id: "v", entityId: "A" }], [], PART, 0],
  ["users of two entities", [{ id: "u", entityId: "A" }, { id: "v", entityId: "B" }], [], undefined, 0],
  ["users of an entity and of none", [{ id: "u", entityId: "A" }, { id: "v", entityId: null }], [], undefined, 0],
  ["one entity, without a connection", [{ id: "A" }], null, undefined, 1],
  ["two entities, without a connection", [{ id: "A" }, { id: "B" }], null, undefined, 0],
])("what is said of %s", async (_what, given, capabilities, note, requests) => {
  const { context, users } = contextOf({ capabilities });
  expect<unknown>(await partNote(given as never, context)).toEqual(note === undefined ? {} : { note });
  expect(users).toHaveLength(requests);
});

test("an unknown party is told as one that may exist only to a user who sees a part", async () => {
  const ofPart = contextOf({ capabilities: [] }).context;
  const one = [entity("A")] as never;
  expect<unknown>((await partyMeant("ENTITY", one, "a", ofPart)) === one[0]).toBe(true);
  const refusal = (context: never) => partyMeant("ENTITY", one, "Z", context).catch((error: unknown) => error);
  expect(await refusal(ofPart)).toMatchObject({
    code: "not_found",
    message: `There is no ENTITY "Z" that you can see. ${PART}`,
    hint: expect.stringContaining("Market.View"),
  });
  expect(await refusal(contextOf().context)).toMatchObject({ code: "not_found", message: 'There is no ENTITY "Z".' });
});
