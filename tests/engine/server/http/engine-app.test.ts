// Which handler gets a request, and when a connection becomes a WebSocket.

import { describe, expect, test } from "bun:test";
import { logger } from "../../../../common/logger.ts";
import type { RouteHandler } from "../../../../engine/embedded/simulator-host.ts";
import { engineApp } from "../../../../engine/server/http/engine-app.ts";
import { PATHS, SIMULATOR_PATHS } from "../../../../protocol/index.ts";

interface Setting {
  readonly hasSimulator?: boolean;
  readonly admits?: boolean;
  readonly upgrades?: boolean;
}

function asking({ hasSimulator = true, admits = true, upgrades = true }: Setting = {}) {
  const asked: unknown[] = [];
  const handler = (name: string): RouteHandler => ({
    fetch: (request: Request, env: unknown) => {
      asked.push(env);
      return new Response(`${name} ${new URL(request.url).pathname}`);
    },
  } as RouteHandler);
  const [routes, simulator] = [handler("engine"), handler("simulator")];
  const app = engineApp({
    hostname: "127.0.0.1",
    access: { token: null },
    routes,
    simulator: () => hasSimulator ? simulator : null,
    log: logger("test"),
  });
  const env = {
    address: "::1",
    setIdleTimeout: () => {},
    admitsAnother: () => (asked.push("admits"), admits),
    upgrade: () => (asked.push("upgrade"), upgrades),
  };
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const response = await app.request(`http://localhost${path}`, { headers: { Host: "localhost", ...headers } }, env);
    const text = await response.text();
    return { status: response.status, text, retryAfter: response.headers.get("Retry-After") };
  };
  return { ask, asked, env };
}

const codeOf = (text: string) => JSON.parse(text).error.code;
const UPGRADE = { Upgrade: "websocket" };

describe("a request to an engine", () => {
  test.each([
    [PATHS.users, "engine"],
    [PATHS.health, "engine"],
    ...Object.values(SIMULATOR_PATHS).map((path) => [path, "simulator"]),
    [`${Object.values(SIMULATOR_PATHS)[0]}/more`, "engine"],
  ] as [string, string][])(
    "%s is answered by the %s, which gets what the server knows of the connection",
    async (path, name) => {
      const { ask, asked, env } = asking();
      expect(await ask(path)).toMatchObject({ status: 200, text: `${name} ${path}` });
      expect(asked).toEqual([env]);
    },
  );

  test("of a simulator is answered by the engine if there is none", async () => {
    for (const path of Object.values(SIMULATOR_PATHS)) {
      expect(await asking({ hasSimulator: false }).ask(path)).toMatchObject({ text: `engine ${path}` });
    }
  });

  test("for another host is refused, but not if it asks for the engine's health", async () => {
    const { ask } = asking();
    expect(await ask(PATHS.users, { Host: "evil.example" })).toMatchObject({ status: 403 });
    expect(await ask(PATHS.health, { Host: "evil.example" })).toMatchObject({ status: 200 });
    expect(await ask(PATHS.webSocket, { Host: "evil.example", ...UPGRADE })).toMatchObject({ status: 403 });
  });
});

describe("a request for a WebSocket", () => {
  test.each([["websocket"], ["WebSocket"]])("upgrades its connection: %s", async (Upgrade) => {
    const { ask, asked } = asking();
    expect(await ask(PATHS.webSocket, { Upgrade })).toEqual({ status: 200, text: "", retryAfter: null });
    expect(asked).toEqual(["admits", "upgrade"]);
  });

  test("is told to come again if there are too many connections, and isn't upgraded", async () => {
    const { ask, asked } = asking({ admits: false });
    const { status, text, retryAfter } = await ask(PATHS.webSocket, UPGRADE);
    expect([status, codeOf(text), retryAfter]).toEqual([503, "too_many_connections", "1"]);
    expect(asked).toEqual(["admits"]);
  });

  test("is refused if the connection can't be upgraded", async () => {
    const { status, text } = await asking({ upgrades: false }).ask(PATHS.webSocket, UPGRADE);
    expect([status, codeOf(text)]).toEqual([426, "upgrade_required"]);
  });

  test.each<[string, Record<string, string>]>([["none", {}], ["another", { Upgrade: "h2c" }]])(
    "that asks for no upgrade takes no place and cuts nobody off: %s",
    async (_, headers) => {
      const { ask, asked } = asking({ admits: false });
      const { status, text } = await ask(PATHS.webSocket, headers);
      expect([status, codeOf(text), asked]).toEqual([426, "upgrade_required", []]);
    },
  );
});
