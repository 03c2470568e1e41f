// The connection to one agent: how much may wait in each direction, and how long mkt waits.

import { expect, test } from "bun:test";
import { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { SYSTEM_TIMERS } from "../../../../common/timers.ts";
import { MAX_LINE_LENGTH } from "../../../../sim/outside/agents/agent-messages.ts";
import { SocketChannel } from "../../../../sim/outside/agents/socket-channel.ts";
import { replaced } from "../../../support/replaced.ts";

/** A socket without a system below it. */
class StillSocket extends EventEmitter {
  readonly written: string[] = [];
  readonly calls: string[] = [];
  writableLength = 0;
  destroyed = false;
  #isPaused = false;

  setEncoding(encoding: string): void {
    this.calls.push(encoding);
  }
  setNoDelay(): void {}
  write(text: string): void {
    this.written.push(text);
  }
  pause(): void {
    this.#isPaused = true;
  }
  resume(): void {
    this.#isPaused = false;
  }
  isPaused(): boolean {
    return this.#isPaused;
  }
  end(): void {
    this.calls.push("end");
  }
  destroy(): void {
    this.destroyed = true;
    this.emit("close");
  }
}

/** A connection, and the waits that have begun and not ended: the time that each may take, and what happens then. */
function connection(timeoutMs = 7_000) {
  const waits: { readonly ms: number; readonly over: () => void }[] = [];
  replaced(SYSTEM_TIMERS, "after", (ms, over) => {
    const wait = { ms, over };
    waits.push(wait);
    return () => void (waits.includes(wait) && waits.splice(waits.indexOf(wait), 1));
  });
  const socket = new StillSocket();
  const ends: string[] = [];
  const channel = new SocketChannel(socket as unknown as Socket, timeoutMs, () => void ends.push("ended"));
  return { socket, channel, waits, ends, sends: (text: string) => void socket.emit("data", text) };
}

const lines = (count: number) => Array.from({ length: count }, (_, index) => `${index}\n`).join("");

test("a socket with a thousand unread lines is read no further, until one of them has been read", async () => {
  const { socket, channel, sends } = connection();
  sends(lines(999));
  expect(socket.isPaused()).toBe(false);
  sends("999\n");
  expect(socket.isPaused()).toBe(true);
  expect(await channel.receive()).toBe(0);
  expect(socket.isPaused()).toBe(false);
  sends(lines(2));
  expect(socket.isPaused()).toBe(true);
  expect(await channel.receive()).toBe(1);
  expect(socket.isPaused()).toBe(true);
  expect(await channel.receive()).toBe(2);
  expect(socket.isPaused()).toBe(false);
});

test("lines come in the order and in the parts in which they are sent", async () => {
  const { channel, sends } = connection();
  const first = channel.receive();
  sends('{"a"');
  sends(':1}\n{"b":2}\n{"c"');
  expect([await first, await channel.receive()]).toEqual([{ a: 1 }, { b: 2 }]);
  const third = channel.receive();
  sends(":3}\n");
  expect(await third).toEqual({ c: 3 });
});

test("each message is waited for by itself, for the given time", async () => {
  const { channel, sends, waits } = connection(7_000);
  const first = channel.receive();
  expect(waits.map(({ ms }) => ms)).toEqual([7_000]);
  sends("1\n2\n");
  expect([await first, waits, await channel.receive(), waits]).toEqual([1, [], 2, []]);
  const late = channel.receive();
  waits[0]!.over();
  await expect(late).rejects.toThrow("it sent nothing for 7 s");
  expect([waits, channel.isOpen]).toEqual([[], true]);
});

test("what is said before the end is still read, and then why nothing more comes", async () => {
  const { socket, channel, sends, ends } = connection();
  sends("1\n");
  socket.emit("error", new Error("reset"));
  socket.emit("close");
  expect([await channel.receive(), channel.isOpen, ends]).toEqual([1, false, ["ended"]]);
  await expect(channel.receive()).rejects.toThrow("its connection failed: reset");
  const closed = connection();
  const waiting = closed.channel.receive();
  closed.socket.emit("close");
  await expect(waiting).rejects.toThrow("it closed its connection");
});

test("a line that is too long ends the connection, and one that is no JSON is an agent's fault", async () => {
  const { channel, sends, socket } = connection();
  sends("nonsense\n");
  await expect(channel.receive()).rejects.toThrow("it sent a line that is not JSON: nonsense");
  sends("x".repeat(MAX_LINE_LENGTH));
  expect(socket.destroyed).toBe(false);
  sends("y");
  expect([socket.destroyed, channel.isOpen]).toEqual([true, false]);
  await expect(channel.receive()).rejects.toThrow(`it sent a line of more than ${MAX_LINE_LENGTH} characters`);
});

test("an agent that does not read what it is sent fails, and is not waited for at the end", async () => {
  const { channel, socket, sends, waits } = connection();
  sends("1\n2\n");
  socket.writableLength = 16 * 1_048_576;
  expect(await channel.receive()).toBe(1);
  socket.writableLength += 1;
  await expect(channel.receive()).rejects.toThrow("it does not read what it is sent");
  await channel.close();
  expect([socket.destroyed, waits, socket.calls]).toEqual([true, [], ["utf8"]]);
  channel.send({ type: "answer", results: [] });
  expect(socket.written).toEqual([]);
});

test("the end lets an agent read for five seconds what it was sent last", async () => {
  const { channel, socket, waits } = connection();
  socket.pause();
  channel.refuse({ type: "error", code: "failed", message: "no" });
  const closed = channel.close();
  expect([socket.written, socket.isPaused(), socket.calls]).toEqual([
    ['{"type":"error","code":"failed","message":"no"}\n'],
    false,
    ["utf8", "end", "end"],
  ]);
  expect(waits.map(({ ms }) => ms)).toEqual([5_000, 5_000]);
  waits[0]!.over();
  await closed;
  expect([socket.destroyed, waits]).toEqual([true, []]);
});
