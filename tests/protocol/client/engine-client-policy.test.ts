// What a client of an engine does by its policy, and what it tells its listener in which order, without a network.

import { describe, expect, jest, test } from "bun:test";
import type { EngineListener } from "../../../protocol/client/engine-client-options.ts";
import { PROTOCOL_VERSION } from "../../../protocol/index.ts";
import { isSettled } from "../../support/still-clock.ts";
import { ENGINE_TIME, entity, EPOCH, event, orderData, snapshotEnd } from "../../support/scripted-engine.ts";
import { clientWith, type Given, UNREADABLE, WELCOME } from "./client-in-memory.ts";
import { advance, SocketInMemory, socketsInMemory } from "./socket-in-memory.ts";

socketsInMemory();

describe("hello", () => {
  test.each<[Given, object]>([
    [{}, {}],
    [{ token: "secret", cancelOnDisconnect: true }, { token: "secret", cancelOnDisconnect: true }],
    [{ cancelOnDisconnect: false }, { cancelOnDisconnect: false }],
    [{ resumePoint: () => ({ epoch: 1, sequence: 2 }) }, { resume: { epoch: 1, sequence: 2 } }],
    [{ resumePoint: () => undefined }, {}],
  ])("with %j has what the engine needs of it", (given, expected) => {
    const { client, socket } = clientWith(given);
    client.open();
    client.open();
    socket().tell("open");
    expect(socket().sent).toEqual([{ kind: "hello", protocol: PROTOCOL_VERSION, userId: "u-1", ...expected }]);
    expect(SocketInMemory.made).toHaveLength(1);
  });
});

test("messages are told in their order; an event is reduced unless the snapshot contains it, and a frame ends it", () => {
  const { client, told, socket, admitted } = clientWith();
  expect([client.isUp, client.isQuiet]).toEqual([false, true]);
  admitted(entity("north"), event(0));
  expect([client.isUp, client.isQuiet]).toEqual([true, false]);
  expect(told.splice(0)).toEqual(["welcomed", "/ENTITY/north", [0, null], "up"]);
  socket().receive(event(1), event(2, "change.user", { userId: "u" }), { kind: "gap", from: EPOCH + 3, to: EPOCH + 4 });
  expect(told.splice(0)).toEqual([
    [1, "/ORDER/order-1"],
    "/ORDER/order-1",
    [2, null],
    ["gap", EPOCH + 3, EPOCH + 4],
    "frame of 3",
  ]);
  // Again: it says nothing new about the module.
  socket().receive(event(1), entity("south"));
  expect(told).toEqual([[1, null], "/ENTITY/south", "frame of 2"]);
});

test("a frame that only repeats what is known is not told, but before the welcome nothing is a repetition", () => {
  const { told, socket, up } = clientWith({ listener: { isRepetition: () => true, synchronized: () => {} } });
  up();
  socket().receive(event(1));
  expect(told).toEqual([]);
});

test.each<[string, Given, object, string, boolean]>([
  [
    "of another engine",
    { engineId: "engine-2" },
    WELCOME,
    "wrong_engine: it is engine engine-1 instead of engine-2",
    true,
  ],
  ["of another user", {}, { ...WELCOME, userId: "bob" }, "wrong_user: it welcomed user bob instead of u-1", false],
])("a welcome %s ends the connection", (_whose, given, message, reason, retries) => {
  const { client, told, socket } = clientWith(given);
  client.open();
  socket().tell("open");
  socket().receive(message, entity("north"));
  expect(told).toEqual([[reason, retries]]);
});

test("a message before the welcome ends the connection, unless the client is lenient until it is up", () => {
  for (const lenientSnapshot of [false, true]) {
    const { client, told, socket } = clientWith({ policy: { lenientSnapshot } });
    client.open();
    socket().tell("open");
    socket().receive(entity("north"), UNREADABLE, snapshotEnd, WELCOME, WELCOME, snapshotEnd);
    if (!lenientSnapshot) expect(told).toEqual([["the engine did not begin with a welcome", true]]);
    else expect(told).toEqual(["/ENTITY/north", "welcomed", "up"]);
    told.length = 0;
    if (lenientSnapshot) socket().receive(UNREADABLE);
    const reason = "the engine sent a message that can't be read (invalid_message), so something is missing";
    expect(told).toEqual(lenientSnapshot ? [[reason, true]] : []);
  }
});

test.each<[string, Partial<EngineListener>, object]>([
  ["another welcome", {}, { ...WELCOME, sequence: EPOCH + 1 }],
  ["an event whose number can't be right", { event: () => false }, event(1)],
  ["a gap whose numbers can't be right", { gap: () => false }, { kind: "gap", from: 1, to: 2 }],
  ["a change of an unknown book", { bookOf: () => undefined }, event(1, "change.book", { engineId: "E" })],
])("%s can't be read", (_what, listener, message) => {
  const { told, socket, up } = clientWith({ listener });
  up();
  socket().receive(message);
  expect(told.at(-1)).toEqual([expect.stringContaining("can't be read"), true]);
});

test("the same welcome again changes nothing", () => {
  const { told, socket, up } = clientWith();
  up();
  socket().receive(WELCOME, snapshotEnd);
  expect(told).toEqual(["frame of 2"]);
});

test("after two unreadable connections one skips what it can't read, until readAgainMs after the first of it", () => {
  const { client, told, socket, up } = clientWith();
  for (let strike = 0; strike < 2; strike += 1) {
    up();
    socket().receive(UNREADABLE);
  }
  up();
  socket().receive(UNREADABLE, entity("north"));
  expect([told.splice(0), client.isIncomplete]).toEqual([
    ["unreadable invalid_message", "/ENTITY/north", "frame of 2"],
    true,
  ]);
  advance(300);
  socket().receive(UNREADABLE);
  advance(99);
  expect(told.splice(0)).toEqual(["unreadable invalid_message", "frame of 1"]);
  advance(1);
  expect(told.splice(0)).toEqual([["reconnecting to read again what could not be read", true]]);
  expect(client.isIncomplete).toBeFalse();
  // One strike is left: the next unreadable message makes the one after it tolerant again.
  up();
  socket().receive(UNREADABLE);
  expect(told).toEqual([[expect.stringContaining("can't be read"), true]]);
  up();
  socket().receive(UNREADABLE);
  expect(told.splice(0)).toEqual(["unreadable invalid_message", "frame of 1"]);
  advance(400);
  expect(told).toEqual([["reconnecting to read again what could not be read", true]]);
});

test("a connection that has answered a ping is no strike, and pauses are short again", () => {
  const { told, socket, up } = clientWith();
  for (let strike = 0; strike < 9; strike += 1) {
    up();
    socket().receive({ kind: "pong", time: ENGINE_TIME });
    told.length = 0;
    socket().receive(UNREADABLE);
    expect(told).toEqual([[expect.stringContaining("can't be read"), true]]);
    const { length } = SocketInMemory.made;
    advance(100);
    expect(SocketInMemory.made).toHaveLength(length + 1);
  }
});

describe("a close", () => {
  test("ends a pause before the next attempt, and tells nothing", async () => {
    const { client, socket, up, told } = clientWith();
    up();
    socket().tell("close", { code: 1006, reason: "" });
    told.length = 0;
    await client.close();
    advance(2_000);
    expect([told, SocketInMemory.made.length, jest.getTimerCount()]).toEqual([[], 1, 0]);
  });

  test("waits for its socket, and takes nothing more of it", async () => {
    const { client, socket, up, told } = clientWith();
    up();
    const closed = client.close();
    socket().receive(event(1));
    expect([await isSettled(closed), client.isUp, client.isQuiet]).toEqual([false, false, true]);
    socket().tell("close", { code: 1000, reason: "" });
    expect([await isSettled(closed), told]).toEqual([true, []]);
  });

  test("within a frame ends it", async () => {
    const parts = clientWith({ listener: { state: () => void closed.push(parts.client.close()) } });
    const closed: Promise<void>[] = [];
    parts.up();
    parts.socket().receive(entity("north"), entity("south"), { statePath: "/ORDER/a", state: orderData("a") });
    expect(closed).toHaveLength(1);
    parts.socket().tell("close", { code: 1000, reason: "" });
    await Promise.all(closed);
    expect(parts.told).toEqual([]);
  });
});
