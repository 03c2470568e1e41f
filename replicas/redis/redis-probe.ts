// Finds out why Redis can't be used. Bun's client only says that the connection was closed: the probe makes a connection of its
// own, says what the client says (HELLO with AUTH, SELECT, PING), and reads the first error.

import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { connectionFault } from "../../protocol/client/connection-fault.ts";
import { credentials } from "./redis-address.ts";

/** The longest reply that is read, in characters. */
const MAX_REPLY = 10_000;

/** A sentence without user and password. Null if the probe finds nothing wrong. */
export async function whyUnusable(url: string, limitMs: number): Promise<string | null> {
  let socket: Socket;
  try {
    socket = opened(new URL(url));
  } catch (error) {
    return (error as Error).message;
  }
  try {
    return await Promise.race([conversation(socket, url), timeout(limitMs)]);
  } finally {
    socket.destroy();
  }
}

function opened({ protocol, hostname, port, pathname }: URL): Socket {
  if (protocol === "redis+unix:") return connectTcp({ path: decodeURIComponent(pathname) });
  const host = hostname.replace(/^\[|\]$/g, "");
  const address = { host, port: Number(port || 6379) };
  if (protocol !== "rediss:") return connectTcp(address);
  return connectTls({ ...address, ...(isIP(host) === 0 && { servername: host }) });
}

function conversation(socket: Socket, url: string): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  let reply = "";
  socket.on("error", (error: NodeJS.ErrnoException) => resolve(connectionFault(error)));
  socket.on("close", () => resolve("the connection was closed"));
  socket.on("data", (bytes) => {
    reply = (reply + bytes.toString("utf8")).slice(0, MAX_REPLY);
    const error = /^-(.*)\r\n/m.exec(reply)?.[1];
    if (error !== undefined) resolve(error);
    else if (/^\+PONG\r\n/m.test(reply)) resolve(null);
  });
  socket.write(commands(url).map(encodedCommand).join(""));
  return promise;
}

function commands(url: string): readonly (readonly string[])[] {
  const known = credentials(url);
  const { protocol, pathname } = new URL(url);
  const database = protocol === "redis+unix:" ? "" : pathname.slice(1);
  const hello = ["HELLO", "3", ...(known === null ? [] : ["AUTH", known.user, known.password])];
  return [hello, ...(database === "" ? [] : [["SELECT", database]]), ["PING"]];
}

function encodedCommand(words: readonly string[]): string {
  return `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join("")}`;
}

async function timeout(limitMs: number): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, limitMs).unref());
  return `no answer within ${limitMs} ms`;
}
