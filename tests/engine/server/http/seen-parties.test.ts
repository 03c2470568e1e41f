// Entities and users: a user is shown the same ones over HTTP and over the WebSocket.

import { expect, test } from "bun:test";
import { ACTING_USER_HEADER, entitiesResponse, PATHS, usersResponse } from "../../../../protocol/index.ts";
import { BUYER, connect, OPERATOR, serveTestEngine, type TestEngine, VIEWER } from "../harness.ts";

/** Of SUMMIT, and may not view the market. */
const BLIND = "blind";
/** Of no entity, and may do nothing. */
const STRANGER = "stranger";

function engineWithStrangers(): TestEngine {
  return serveTestEngine({ updateIntervalMs: 0 }, (definition) => ({
    ...definition,
    users: [
      ...definition.users,
      { id: BLIND, name: "Blind", entityId: "SUMMIT", permissions: ["Order.Submit"] },
      { id: STRANGER, name: "Stranger", entityId: null, permissions: [] },
    ],
  }));
}

async function overHttp(engine: TestEngine, userId: string) {
  const read = async (path: string) => {
    const response = await fetch(`${engine.url}${path}`, { headers: { [ACTING_USER_HEADER]: userId } });
    expect(response.status).toBe(200);
    return await response.json();
  };
  const { entities } = entitiesResponse.parse(await read(PATHS.entities));
  const { users } = usersResponse.parse(await read(PATHS.users));
  return [...entities.map(({ id }) => `/ENTITY/${id}`), ...users.map(({ id }) => `/USER/${id}`)];
}

test.each([
  [OPERATOR, "every entity and user"],
  [VIEWER, "every entity and user"],
  [BLIND, "the own entity and its users"],
  [STRANGER, "none"],
])("%s is shown %s, over HTTP and over the WebSocket", async (userId, what) => {
  const engine = engineWithStrangers();
  const client = await connect(engine, userId);
  const shown = client.states.map(({ statePath }) => statePath).filter((path) => /^\/(ENTITY|USER)\//.test(path));
  expect((await overHttp(engine, userId)).toSorted()).toEqual([...new Set(shown)].toSorted());
  const { entities, users } = engine.definition;
  const isSeen = (entityId: string | null) => what.startsWith("every") || (what !== "none" && entityId === "SUMMIT");
  const expected = [
    ...entities.filter(({ id }) => isSeen(id)).map(({ id }) => `/ENTITY/${id}`),
    ...users.filter(({ entityId }) => isSeen(entityId)).map(({ id }) => `/USER/${id}`),
  ];
  expect([...new Set(shown)].toSorted()).toEqual(expected.toSorted());
});

test("that a user connects is told to users who are shown that user, and to nobody else", async () => {
  const engine = engineWithStrangers();
  const clients = await Promise.all([VIEWER, BLIND, STRANGER].map((userId) => connect(engine, userId)));
  for (const client of clients) await client.settled();
  const before = clients.map(({ messages }) => messages.length);
  for (const userId of [BUYER, "summit-trader-1"]) await connect(engine, userId);
  for (const client of clients) await client.settled();
  const told = clients.map(({ messages }, at) =>
    messages.slice(before[at]).flatMap((message) =>
      "statePath" in message ? [message.statePath] : message.kind === "event" ? [message.data["userId"]] : []
    )
  );
  expect(told).toEqual([
    [`/USER/${BUYER}`, BUYER, "/USER/summit-trader-1", "summit-trader-1"],
    ["/USER/summit-trader-1", "summit-trader-1"],
    [],
  ]);
});
