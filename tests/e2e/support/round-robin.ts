// A load balancer between clients and replicas: each request goes to the next server in turn, whoever sent it.
//
// A request is passed on to another server only if the first one refused the connection, so it was surely not sent. If the
// connection is lost later, the client gets a 502, and has to know itself whether it may send the request again. Each request
// has a connection of its own, because Bun repeats a request by itself if it finds a kept connection closed.

import { atEnd } from "../../support/at-end.ts";

export interface RoundRobin {
  readonly url: string;
  /** Requests that each server has answered. */
  readonly answered: readonly number[];
}

/** Stops with the test, or with the file. */
export function startRoundRobin(servers: readonly string[]): RoundRobin {
  const answered = servers.map(() => 0);
  let turn = 0;
  const pass = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    const body = request.body === null ? undefined : await request.arrayBuffer();
    const { method, headers, signal } = request;
    headers.delete("Host");
    const first = turn++;
    for (const attempt of servers.keys()) {
      const index = (first + attempt) % servers.length;
      const target = new URL(pathname + search, servers[index]);
      try {
        const init = {
          method,
          headers,
          body,
          signal,
          redirect: "manual",
          decompress: false,
          keepalive: false,
        } as const;
        const response = await fetch(target, init);
        answered[index]! += 1;
        return response;
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        if (code !== "ConnectionRefused" && code !== "ECONNREFUSED") {
          return Response.json({ error: message }, { status: 502 });
        }
      }
    }
    return Response.json({ error: "no server accepts connections" }, { status: 503 });
  };
  const balancer = Bun.serve({ hostname: "127.0.0.1", port: 0, idleTimeout: 255, fetch: pass });
  atEnd(() => balancer.stop(true));
  return { url: `http://127.0.0.1:${balancer.port}`, answered };
}
