// The messages over the WebSocket of docs/backend-protocol.md, and why an engine refuses a connection.

import { expect } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import {
  clientMessage,
  type EngineMessage,
  PROTOCOL_VERSION,
  stateMessage,
  taggedEngineMessage,
} from "../../../../protocol/index.ts";
import type { Row } from "../../../support/document-tables.ts";
import { temporaryDirectory } from "../../../support/temporary-directory.ts";
import { BUYER, connect, restingBuy, SELLER, serveTestEngine, submission, submit, TestClient } from "../harness.ts";

/** The fields of a row with whether they may be absent. What is in parentheses or braces is their values. */
function fieldsIn(row: Row): Record<string, boolean> {
  const list = (row.cells[1] ?? "").replaceAll(/\([^)]*\)|\{[^}]*\}/g, "");
  const names = [...list.matchAll(/`([a-zA-Z]+)(\??)\s*`/g)];
  return Object.fromEntries(names.map(([, name = "", mark]) => [name, mark === "?"]));
}

function fieldsOf({ kind: _, ...shape }: Readonly<Record<string, z.ZodType>>): Record<string, boolean> {
  return Object.fromEntries(Object.entries(shape).map(([name, type]) => [name, type instanceof z.ZodOptional]));
}

/** The row has exactly the fields that the protocol's schema has. */
export function clientRow(row: Row): void {
  const schema = clientMessage.options.find(({ shape }) => shape.kind.value === row.name) ?? expect.unreachable();
  expect(fieldsIn(row)).toEqual(fieldsOf(schema.shape));
}

/** The same, and a real engine sends such a message, with every field that may not be absent and no other. */
export async function engineRow(row: Row): Promise<void> {
  const isState = row.name === "(state)";
  const schema = isState
    ? stateMessage
    : taggedEngineMessage.options.find(({ shape }) => shape.kind.value === row.name);
  const fields = fieldsIn(row);
  expect(fields).toEqual(fieldsOf(schema?.shape ?? {}));
  said ??= conversation();
  const messages = (await said).filter((message) =>
    isState ? "statePath" in message : "kind" in message && message.kind === row.name
  );
  expect(messages.length).toBeGreaterThan(0);
  for (const message of messages) {
    const sent = Object.keys(message).filter((name) => name !== "kind");
    expect(Object.keys(fields)).toEqual(expect.arrayContaining(sent));
    expect(sent).toEqual(expect.arrayContaining(Object.keys(fields).filter((name) => fields[name] === false)));
  }
}

let said: Promise<EngineMessage[]> | undefined;

/** Messages of every kind that an engine sends. */
async function conversation(): Promise<EngineMessage[]> {
  const engine = serveTestEngine({ historySize: 2 });
  const client = await connect(engine, BUYER);
  await client.request("order.submit", restingBuy(engine.contractId));
  await client.request("market.halt", {});
  await client.settled();
  for (let count = 0; count < 3; count++) submit(engine);
  const again = await connect(engine, BUYER, { resume: { epoch: engine.epoch, sequence: engine.epoch } });
  await again.settled();
  await engine.stop();
  for (const each of [client, again]) await each.refused();
  return [...client.messages, ...again.messages];
}

async function refusal(hello: object, options: Parameters<typeof serveTestEngine>[0] = {}): Promise<string> {
  const client = await new TestClient(serveTestEngine(options).webSocketUrl).opened();
  client.send({ kind: "hello", protocol: PROTOCOL_VERSION, userId: BUYER, ...hello });
  return await client.refused();
}

function tokenOf(users: string): string {
  const path = join(temporaryDirectory(), "tokens");
  writeFileSync(path, `desk token-of-the-desk- ${users}\n`, { mode: 0o600 });
  return path;
}

const REFUSALS: Readonly<Record<string, () => Promise<string>>> = {
  unauthorized: () => refusal({}, { token: "sesame" }),
  user_not_covered: () => refusal({ token: "token-of-the-desk-" }, { tokenFile: tokenOf(SELLER) }),
  unknown_user: () => refusal({ userId: "nobody" }),
  unsupported_protocol: () => refusal({ protocol: PROTOCOL_VERSION + 1, userId: undefined }),
  invalid_message: () => refusal({ userId: undefined }),
  rate_limited: async () => {
    const engine = serveTestEngine({ limits: { requestsPerSecond: 100 }, rateClock: () => 0 });
    const client = await connect(engine, BUYER);
    client.send(Array.from({ length: 500 }, (_, at) => submission(String(at), restingBuy(engine.contractId))));
    return await client.refused();
  },
  too_many_connections: async () => {
    const engine = serveTestEngine({ limits: { connectionsPerUser: 1 } });
    await connect(engine, BUYER);
    return await (await new TestClient(engine.webSocketUrl).hello({ userId: BUYER })).refused();
  },
  shutting_down: async () => {
    const engine = serveTestEngine();
    const client = await connect(engine, BUYER);
    await engine.stop();
    return await client.refused();
  },
};

export const REFUSED_CONNECTIONS = {
  ...Object.fromEntries(
    Object.entries(REFUSALS).map(([name, refused]) => [name, async () => expect(await refused()).toBe(name)]),
  ),
  too_slow: {
    file: "tests/engine/server/connections/slow-consumer.test.ts",
    test: "is cut off as too_slow after an unbroken series of events; others miss nothing",
  },
};
