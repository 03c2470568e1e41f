// Reading a market once, and the frames that one persona reads.

import { describe, expect, mock, spyOn, test } from "bun:test";
import { readSnapshot } from "../../../sim/live/market-snapshot.ts";
import { personaFrames } from "../../../sim/live/persona-frames.ts";
import { entity, ScriptedEngine, snapshotEnd, welcome } from "../../support/scripted-engine.ts";
import { accessTo } from "./support.ts";

const PATIENCE_MS = 600_000;

function read(engine: ScriptedEngine, patienceMs = PATIENCE_MS) {
  return readSnapshot(accessTo(engine.url), "u-1", patienceMs);
}

const idsOf = (modules: readonly { id: string }[]) => modules.map(({ id }) => id);

describe("reading a market once", () => {
  test("returns the whole snapshot and disconnects, without cancelling orders", async () => {
    await using engine = new ScriptedEngine();
    const reading = read(engine);
    const socket = await engine.connection();
    const { cancelOnDisconnect } = await socket.admit([entity("north"), entity("south")]);
    expect(idsOf(await reading)).toEqual(["north", "south"]);
    expect([cancelOnDisconnect, await socket.closed.promise]).toEqual([false, 1000]);
  });

  test("starts over with the next connection, and does not mix two snapshots", async () => {
    await using engine = new ScriptedEngine();
    const reading = read(engine);
    const first = await engine.connection();
    first.send(welcome(await first.next("hello")), entity("north"), entity("gone"));
    await Bun.sleep(1);
    first.cut();
    await (await engine.connection()).admit([entity("north")]);
    expect(idsOf(await reading)).toEqual(["north"]);
  });

  test("fails at once if the engine refuses the user for good, with its message", async () => {
    await using engine = new ScriptedEngine();
    const reading = read(engine);
    (await engine.connection()).send({ kind: "refused", code: "unknown_user", message: "no user u-1" });
    await expect(reading).rejects.toThrow("refused user u-1: unknown_user: no user u-1");
  });

  test("fails after its time limit, with the last reason", async () => {
    await using engine = new ScriptedEngine();
    const reading = read(engine, 100);
    const socket = await engine.connection();
    await expect(reading).rejects.toThrow("can't be reached: it sent no whole snapshot in time");
    await socket.closed.promise;
  });

  test("leaves no timer behind", async () => {
    await using engine = new ScriptedEngine();
    const [set, clear] = [spyOn(globalThis, "setTimeout"), spyOn(globalThis, "clearTimeout")];
    try {
      const reading = read(engine, 29_999);
      await (await engine.connection()).admit();
      await reading;
      const overdue = set.mock.calls.findIndex(([, waitMs]) => waitMs === 29_999);
      const timer: unknown = set.mock.results[overdue]?.value;
      expect(clear.mock.calls.map(([cleared]) => cleared as unknown)).toContain(timer);
    } finally {
      mock.restore();
    }
  });
});

describe("frames of one persona", () => {
  const SHORT = 1_200;
  const reader = personaFrames({ read: () => [snapshotEnd as never] }, "sim-abc.1-");
  const isRead = (frame: unknown) => reader.read(frame).length > 0;

  test("are read if they contain its id prefix, or end a snapshot, at any length", () => {
    const long = "x".repeat(5 * SHORT);
    expect(isRead(long)).toBe(false);
    expect([isRead(`${long}sim-abc.1-7`), isRead(`${long}sim-abc.10-7`)]).toEqual([true, false]);
    expect(isRead(`${long}{"kind":"snapshotEnd"}`)).toBe(true);
  });

  test.each(["welcome", "snapshotEnd", "gap", "refused", "pong"])(
    "are read if they are shorter than 1,200 characters and contain a %s",
    (kind) => {
      const message = `{"kind":"${kind}"}`;
      expect(isRead(message.padStart(SHORT - 1))).toBe(true);
      expect(isRead(`[${message}]`)).toBe(true);
    },
  );

  test("are skipped if they only have events, responses and states of others, at any length", () => {
    for (const message of [{ kind: "event" }, { kind: "response" }, { statePath: "/ORDER/a", state: null }]) {
      const text = JSON.stringify(message);
      expect([isRead(text), isRead(text.padStart(SHORT))]).toEqual([false, false]);
    }
  });

  test("are read if they are not text, so the reader reports them", () => {
    expect(isRead(new Uint8Array(2 * SHORT))).toBe(true);
  });
});
