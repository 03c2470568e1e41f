// Why a server can't be used, by what it answers to the probe.

import { expect, test } from "bun:test";
import { createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { whyUnusable } from "../../../replicas/redis/redis-probe.ts";
import { atEnd } from "../../support/at-end.ts";

/** The address of a server that does this with each connection, and what it was told. */
async function server(answer: (socket: Socket) => void) {
  const told = { text: "" };
  const listening = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (bytes) => void (told.text += bytes.toString()));
    answer(socket);
  });
  await new Promise<void>((resolve) => void listening.listen(0, "127.0.0.1", resolve));
  atEnd(() => void listening.close());
  return { address: `127.0.0.1:${(listening.address() as AddressInfo).port}`, told };
}

async function inParts(socket: Socket, text: string): Promise<void> {
  socket.setNoDelay(true);
  for (const part of text) {
    socket.write(part);
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
  }
}

test.each<[string, (socket: Socket) => void, number, string | null]>([
  ["answers as a Redis does", (socket) => void socket.write("%1\r\n+OK\r\n+PONG\r\n"), 60_000, null],
  ["answers in parts", (socket) => void inParts(socket, "+PONG\r\n"), 60_000, null],
  ["refuses the password", (socket) => void socket.write("-WRONGPASS no\r\n+PONG\r\n"), 60_000, "WRONGPASS no"],
  ["closes the connection", (socket) => void socket.end(), 60_000, "the connection was closed"],
  ["says nothing", () => {}, 20, "no answer within 20 ms"],
])("a server that %s", async (_what, answer, limitMs, reason) => {
  const { address } = await server(answer);
  expect(await whyUnusable(`redis://${address}`, limitMs)).toBe(reason);
});

test("the probe says what the client would: user, password and database", async () => {
  const words = (...given: readonly string[]) =>
    `*${given.length}\r\n${given.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join("")}`;
  const cases: [string, string, string][] = [
    ["", "", words("HELLO", "3") + words("PING")],
    [":p%20w@", "/2", words("HELLO", "3", "AUTH", "default", "p w") + words("SELECT", "2") + words("PING")],
    ["zoë:s@", "", words("HELLO", "3", "AUTH", "zoë", "s") + words("PING")],
  ];
  for (const [user, path, expected] of cases) {
    const { address, told } = await server((socket) => {
      socket.on("data", () => void (told.text.length > 0 && socket.write("+PONG\r\n")));
    });
    expect(await whyUnusable(`redis://${user}${address}${path}`, 60_000)).toBeNull();
    expect(told.text).toBe(expected);
  }
});
