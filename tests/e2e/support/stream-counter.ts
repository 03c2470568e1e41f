// A proxy between a browser and the server that counts the connections on which the browser follows the market.

import { connect, createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { atEnd } from "../../support/at-end.ts";

interface StreamCounter {
  readonly url: string;
  /** Connections that are open now, and on which the stream was asked for. */
  readonly streams: () => number;
}

/** Runs until the end of the test or the file. */
export async function streamCounter(serverUrl: string): Promise<StreamCounter> {
  const { port } = new URL(serverUrl);
  const streams = new Set<Socket>();
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const server = connect(Number(port), "127.0.0.1");
    for (const [from, to] of [[client, server], [server, client]] as const) {
      sockets.add(from);
      from.on("data", (bytes) => {
        if (from === client && bytes.includes("GET /dashboard/stream")) streams.add(client);
        to.write(bytes);
      });
      from.on("close", () => {
        streams.delete(client);
        to.end();
      });
      from.on("error", () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  atEnd(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => proxy.close(resolve));
  });
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, streams: () => streams.size };
}
