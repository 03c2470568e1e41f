// When a link ends by itself and why, what it says and when, and that nothing of it is left.

import { describe, expect, jest, test } from "bun:test";
import { EngineClock } from "../../../protocol/client/engine-clock.ts";
import { EngineLink, type LinkEnd, reasonOf } from "../../../protocol/client/engine-link.ts";
import { isSettled } from "../../support/still-clock.ts";
import { advance, SocketInMemory, socketsInMemory, standStill } from "./socket-in-memory.ts";

socketsInMemory();

const TIMINGS = { pingMs: 100, silenceMs: 450, openMs: 300, answerMs: 200, synchronizeMs: 2_000, closeMs: 500 };
const OTHER = { kind: "gap" };
const PONG = { kind: "pong", time: "2030-06-01T12:00:00.000Z" };
const WELCOME = { kind: "welcome", time: "2030-06-01T12:00:00.000Z" };
const SNAPSHOT_END = { kind: "snapshotEnd" };
const HELLO = { kind: "hello" };

function linkWith(timings: Partial<typeof TIMINGS> = {}) {
  const ends: LinkEnd[] = [];
  const frames: object[][] = [];
  const learned: unknown[] = [];
  const clock = new EngineClock(() => 0);
  clock.learn = (time, ageMs) => void learned.push([time, ageMs]);
  clock.market.learn = (message) => void learned.push(message);
  const link = new EngineLink({
    url: "ws://engine/ws",
    hello: () => HELLO as never,
    reader: { read: (frame) => JSON.parse(String(frame)) },
    clock,
    timings: { ...TIMINGS, ...timings },
    onFrame: (messages) => void frames.push([...messages]),
    onEnd: (end) => void ends.push(end),
  });
  const socket = SocketInMemory.made.at(-1)!;
  const reasons = () => ends.map(reasonOf);
  return { link, socket, ends, frames, learned, reasons };
}

/** A link whose snapshot is whole. */
function synchronized(timings: Partial<typeof TIMINGS> = {}) {
  const parts = linkWith(timings);
  parts.socket.tell("open");
  parts.socket.receive(WELCOME, SNAPSHOT_END);
  parts.socket.kinds();
  return parts;
}

test("it says hello once the socket is open, and sends nothing before and after", async () => {
  const { link, socket } = linkWith();
  expect([socket.url, link.hasSaidHello, link.send(HELLO as never)]).toEqual(["ws://engine/ws", false, false]);
  socket.tell("open");
  expect([socket.kinds(), link.hasSaidHello, link.send({ kind: "ping" })]).toEqual([["hello"], true, true]);
  expect(socket.kinds()).toEqual(["ping"]);
  const closed = link.close();
  expect(link.send({ kind: "ping" })).toBeFalse();
  socket.tell("close", { code: 1000, reason: "" });
  await closed;
});

describe("it ends", () => {
  test("if the engine says nothing from the opening on for openMs, also if the socket never opens", () => {
    for (const opens of [true, false]) {
      const { socket, reasons } = linkWith();
      if (opens) socket.tell("open");
      advance(299);
      expect(reasons()).toEqual([]);
      advance(1);
      expect([reasons(), socket.ends]).toEqual([["the engine was silent for 300 ms"], ["terminate"]]);
      expect(jest.getTimerCount()).toBe(0);
    }
  });

  test("if it says nothing more for silenceMs, which begins anew with each frame", () => {
    const { socket, reasons } = linkWith({ pingMs: 10_000 });
    socket.tell("open");
    advance(200);
    socket.receive(OTHER);
    advance(400);
    socket.receive();
    advance(449);
    expect(reasons()).toEqual([]);
    advance(1);
    expect(reasons()).toEqual(["the engine was silent for 450 ms"]);
  });

  test("not for a silence in which the process stood still: the watch then starts over", () => {
    const { socket, reasons } = linkWith({ pingMs: 100_000, synchronizeMs: 100_000 });
    socket.tell("open");
    socket.receive(OTHER);
    standStill(450 + 1_001);
    expect(reasons()).toEqual([]);
    advance(449);
    expect(reasons()).toEqual([]);
    advance(1);
    expect(reasons()).toEqual(["the engine was silent for 450 ms"]);
  });

  test("not for a silence of which the process stood still a part: a ping was late, though the watch was not", () => {
    const { socket, reasons } = synchronized({ silenceMs: 2_000, answerMs: 10_000 });
    standStill(2_000);
    expect(reasons()).toEqual([]);
    advance(1_999);
    expect(reasons()).toEqual([]);
    advance(1);
    expect([reasons(), socket.ends]).toEqual([["the engine was silent for 2000 ms"], ["terminate"]]);
  });

  test("not for an answer that may wait to be read, because the process stood still: it counts from then on", () => {
    const { socket, reasons } = synchronized({ silenceMs: 10_000 });
    advance(100);
    standStill(1_200);
    expect(reasons()).toEqual([]);
    advance(199);
    expect(reasons()).toEqual([]);
    advance(1);
    expect([reasons(), socket.ends]).toEqual([["the engine answered no ping for 200 ms"], ["terminate"]]);
  });

  test("if the snapshot is not whole after synchronizeMs, whatever else comes", () => {
    const { socket, reasons } = linkWith();
    socket.tell("open");
    for (let passed = 0; passed < 1_900; passed += 100) {
      advance(100);
      socket.receive(PONG);
    }
    advance(99);
    expect(reasons()).toEqual([]);
    advance(1);
    expect(reasons()).toEqual(["the engine sent no whole snapshot within 2000 ms"]);
    const whole = synchronized({ pingMs: 10_000, silenceMs: 10_000 });
    advance(5_000);
    expect(whole.reasons()).toEqual([]);
  });

  test("if a ping stays unanswered for answerMs, although other messages come, and looks with each ping", () => {
    const { socket, reasons } = synchronized();
    for (let passed = 0; passed < 200; passed += 50) {
      advance(50);
      socket.receive(OTHER);
    }
    expect([socket.kinds(), reasons()]).toEqual([["ping", "ping"], []]);
    socket.receive(PONG);
    // The oldest of the pings without an answer counts: one went out at 300.
    for (let passed = 200; passed < 499; passed += 1) {
      advance(1);
      socket.receive(OTHER);
    }
    expect([socket.kinds(), reasons()]).toEqual([["ping", "ping"], []]);
    advance(1);
    expect([socket.kinds(), reasons()]).toEqual([[], ["the engine answered no ping for 200 ms"]]);
  });

  test("not for pings that wait behind the snapshot: they count from its end", () => {
    const { socket, reasons } = linkWith();
    socket.tell("open");
    for (let passed = 0; passed < 1_000; passed += 100) {
      advance(100);
      socket.receive(OTHER);
    }
    advance(50);
    socket.receive(SNAPSHOT_END);
    advance(200);
    expect(reasons()).toEqual([]);
    // A further end of a snapshot is none.
    socket.receive(SNAPSHOT_END);
    advance(49);
    expect(reasons()).toEqual([]);
    advance(1);
    expect(reasons()).toEqual(["the engine answered no ping for 200 ms"]);
  });

  test.each<[string, { code: number; reason: string }, boolean, object | null, string]>([
    ["without a reason", { code: 1006, reason: "" }, true, null, "the connection closed with code 1006"],
    ["with one", { code: 1011, reason: "odd" }, true, null, "odd"],
    ["before it is open", { code: 1006, reason: "" }, false, null, "nothing there accepts a connection"],
    [
      "before it is open, by a fault",
      { code: 1006, reason: "" },
      false,
      { code: "ENOTFOUND" },
      "its host name is unknown",
    ],
  ])("if the socket closes %s", (_how, close, isOpen, error, reason) => {
    const { socket, reasons } = linkWith();
    if (isOpen) socket.tell("open");
    if (error !== null) socket.tell("error", { error });
    socket.tell("close", close);
    expect([reasons(), jest.getTimerCount()]).toEqual([[reason], 0]);
  });

  test("if the engine refuses it, after the frame was passed on, and takes no frame from then on", () => {
    const { socket, ends, frames } = linkWith();
    socket.tell("open");
    const refused = { kind: "refused", code: "unknown_user", message: "No." } as const;
    socket.receive(OTHER, refused);
    socket.receive(OTHER);
    expect([frames, ends, socket.ends]).toEqual([[[OTHER, refused]], [refused], ["terminate"]]);
    expect(reasonOf(refused)).toBe("unknown_user: No.");
  });

  test("once, with the first reason", () => {
    const { link, socket, reasons } = synchronized();
    link.end({ kind: "lost", reason: "first" });
    link.end({ kind: "lost", reason: "second" });
    socket.tell("close", { code: 1006, reason: "third" });
    expect([reasons(), socket.ends, jest.getTimerCount()]).toEqual([["first"], ["terminate"], 0]);
  });
});

describe("a close", () => {
  test("ends when the socket is closed, calls nobody, and leaves no timer", async () => {
    const { link, socket, ends, frames } = synchronized();
    frames.length = 0;
    const closed = link.close();
    expect([socket.ends, await isSettled(closed)]).toEqual([["close 1000"], false]);
    socket.receive(OTHER);
    socket.tell("close", { code: 1000, reason: "" });
    await closed;
    expect([ends, frames, socket.ends, jest.getTimerCount()]).toEqual([[], [], ["close 1000"], 0]);
  });

  test("waits closeMs for the engine's part of it", async () => {
    const { link, socket, ends } = synchronized();
    const closed = link.close();
    advance(499);
    expect([await isSettled(closed), socket.ends]).toEqual([false, ["close 1000"]]);
    advance(1);
    expect([await isSettled(closed), socket.ends]).toEqual([true, ["close 1000", "terminate"]]);
    expect([ends, jest.getTimerCount()]).toEqual([[], 0]);
  });

  test("of a link that has ended is over at once", async () => {
    const { link, socket } = synchronized();
    link.end({ kind: "lost", reason: "first" });
    expect([await isSettled(link.close()), socket.ends]).toEqual([true, ["terminate"]]);
  });
});

describe("catching up", () => {
  test("waits for the answer to its own ping, of several the oldest first", async () => {
    const { link, socket } = synchronized();
    const [one, two] = [link.caughtUp(), link.caughtUp()];
    expect(socket.kinds()).toEqual(["ping", "ping"]);
    socket.receive(OTHER);
    expect(await isSettled(one)).toBeFalse();
    socket.receive(PONG);
    expect([await isSettled(one), await isSettled(two)]).toEqual([true, false]);
    socket.receive(PONG);
    expect(await isSettled(two)).toBeTrue();
  });

  test("waits for no earlier ping's answer", async () => {
    const { link, socket } = synchronized();
    advance(100);
    const caughtUp = link.caughtUp();
    socket.receive(PONG);
    expect(await isSettled(caughtUp)).toBeFalse();
    socket.receive(PONG);
    expect(await isSettled(caughtUp)).toBeTrue();
  });

  test("is over at once if nothing can be sent, and with the link", async () => {
    const { link } = linkWith();
    expect(await isSettled(link.caughtUp())).toBeTrue();
    const other = synchronized();
    const caughtUp = other.link.caughtUp();
    other.link.end({ kind: "lost", reason: "cut" });
    expect(await isSettled(caughtUp)).toBeTrue();
  });
});

test("the clock learns of a welcome since the hello, of a pong since the oldest ping, and of one too many never", () => {
  const { socket, learned, link } = linkWith({ pingMs: 10_000 });
  advance(70);
  socket.tell("open");
  advance(30);
  socket.receive(WELCOME, { statePath: "/ENTITY/a" });
  void link.caughtUp();
  advance(20);
  void link.caughtUp();
  advance(5);
  socket.receive(PONG, PONG);
  const { time } = PONG;
  expect(learned).toEqual([WELCOME, [time, 30], PONG, [time, 25], PONG, [time, Infinity]]);
});
