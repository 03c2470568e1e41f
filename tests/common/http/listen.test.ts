import { afterEach, describe, expect, test } from "bun:test";
import { resolve } from "node:path";
import { addressOf, isLoopback, listen, PortTaken, reachableAddress } from "../../../common/http/listen.ts";
import { logger } from "../../../common/logger.ts";
import { replaced } from "../../support/replaced.ts";

const log = logger("test");
const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

function serve(host: string, port = 0, fetch: () => Response = () => new Response("here")) {
  const listening = listen({ host, port, fetch, log });
  stops.push(() => listening.server.stop(true));
  return listening;
}

/** A server that shares its port, as older versions of mkt did. */
function serveSharing(hostname: string): number {
  const server = Bun.serve({ hostname, port: 0, reusePort: true, development: false, fetch: () => new Response() });
  stops.push(() => server.stop(true));
  return server.port ?? 0;
}

describe("a port that is taken", () => {
  test.each(["127.0.0.1", "localhost", "0.0.0.0", "::", "::1", "[::1]"])("on %s is refused in one line", (host) => {
    const { port } = serve(host);
    expect(() => serve(host, port)).toThrow(
      `port ${port} on ${host} is in use: stop the other server, or choose another port`,
    );
  });

  test.each(["127.0.0.1", "0.0.0.0", "::"])("by a port-sharing server on %s is refused, too", (host) => {
    const port = serveSharing(host);
    expect(() => serve(host, port)).toThrow(PortTaken);
  });

  test("is not shared with a later port-sharing server", () => {
    const { port } = serve("127.0.0.1");
    const late = () => Bun.serve({ hostname: "127.0.0.1", port, reusePort: true, fetch: () => new Response() });
    expect(late).toThrow(/in use/);
  });
});

test("an address of another machine is a one-line error", () => {
  expect(() => serve("192.0.2.1")).toThrow(/^can't listen on 192\.0\.2\.1, port 0: .+$/);
});

test("a handler that throws is a 500 in JSON without internal details", async () => {
  const { address } = serve("127.0.0.1", 0, () => {
    throw new Error("inside");
  });
  const response = await fetch(`http://${address}/`);
  expect(response.status).toBe(500);
  expect(await response.json()).toEqual({
    error: { code: "internal", message: "The request failed; the server's log has details." },
  });
});

/** `listen` is for HTTP. Agents of a simulation send lines over a plain socket, on loopback only. */
const LISTENERS = ["common/http/listen.ts", "sim/outside/agents/agent-server.ts"];

test("nothing but `listen`, and the server of agents on loopback, listens on a port", async () => {
  const root = resolve(import.meta.dir, "../../..");
  const found: string[] = [];
  for (const pattern of ["{protocol,common,core,plugins,sim}/**/*.ts", "{main,demo}.ts"]) {
    for await (const path of new Bun.Glob(pattern).scan(root)) {
      if (/\b(Bun\.(serve|listen)|createServer)\(/.test(await Bun.file(resolve(root, path)).text())) found.push(path);
    }
  }
  expect(found.toSorted()).toEqual(LISTENERS);
});

test("a server is reachable at its own address, or at loopback if it listens on every one", () => {
  const hosts = ["127.0.0.1", "0.0.0.0", "::", "[::]", "::1", "[::1]", "engine"];
  expect(hosts.map((host) => reachableAddress(host, 80)).join(" "))
    .toBe("127.0.0.1:80 127.0.0.1:80 [::1]:80 [::1]:80 [::1]:80 [::1]:80 engine:80");
});

test("an address of loopback is one in 127.0.0.0/8, ::1 or localhost", () => {
  const others = ["0.0.0.0", "::", "10.0.0.1", "127.0.0.1.example", "localhost.example", "128.0.0.1", "1127.0.0.1", ""];
  const loopback = ["127.0.0.1", "127.1.2.3", "localhost", "::1", "[::1]"];
  expect([...others, ...loopback].filter(isLoopback)).toEqual(loopback);
});

describe("what a server is made with", () => {
  /** The settings of the runtime's server, and what is logged. */
  function settingsOf(more: Partial<Parameters<typeof listen>[0]> = {}, server: object = { port: 77 }) {
    const logged: unknown[] = [];
    const made = replaced(Bun, "serve" as never, (() => server) as never) as unknown as [Record<string, unknown>][];
    made.length = 0;
    const ownLog = { error: (...given: unknown[]) => void logged.push(given) } as never;
    const listening = listen({ host: "[::1]", port: 5, fetch: () => new Response(), log: ownLog, ...more });
    return { settings: made[0]![0], listening, logged };
  }

  test("is its address without brackets, a port of its own, no page of errors, and ten idle seconds or as asked", () => {
    const fetch = () => new Response();
    const { settings, listening } = settingsOf({ fetch });
    const { error: _, ...rest } = settings;
    expect(rest).toEqual({
      ...{ hostname: "::1", port: 5, reusePort: false, development: false, idleTimeout: 10, fetch },
      maxRequestBodySize: 2 ** 40,
    });
    expect([listening.port, listening.address]).toEqual([77, "[::1]:77"]);
    expect(settingsOf({ idleSeconds: 120 }).settings["idleTimeout"]).toBe(120);
    const websocket = { message: () => {} };
    expect(settingsOf({ websocket: websocket as never }).settings["websocket"]).toBe(websocket);
    expect(() => settingsOf({}, {})).toThrow("the server has no port");
  });

  test("logs what a handler throws, and tells nobody else", async () => {
    const { settings, logged } = settingsOf();
    const error = new Error("inside");
    const response = (settings["error"] as (error: Error) => Response)(error);
    expect([response.status, (await response.json()).error.code, logged]).toEqual([
      500,
      "internal",
      [["a request failed: {error}", { error: error.stack }]],
    ]);
  });

  test.each([[{ address: "10.0.0.1", port: 5 }, "10.0.0.1"], [null, "unknown"]])(
    "the peer %j is %s",
    (ip, expected) => {
      expect(addressOf(new Request("http://h/"), { requestIP: () => ip } as never)).toBe(expected);
    },
  );
});
