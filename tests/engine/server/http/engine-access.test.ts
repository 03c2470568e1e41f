import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { logger } from "../../../../common/logger.ts";
import { ACTING_USER_HEADER, errorResponse, PATHS, SIMULATOR_PATHS } from "../../../../protocol/index.ts";
import { readEngineAccess } from "../../../../common/http/guards/engine-access.ts";
import { embedSimulator } from "../../../../sim/live/embedded-simulator.ts";
import { raw } from "../../../support/raw-http.ts";
import { BUYER, connect, OPERATOR, SELLER, serveTestEngine, TestClient, type TestEngine, UPGRADE } from "../harness.ts";
import { atEnd } from "../../../support/at-end.ts";
import { temporaryDirectory } from "../../../support/temporary-directory.ts";

const [DESK, ROBOT, NEXT] = ["token-of-the-desk-", "token-of-the-robot", "next-token-of-desk"];

function tokenFile(text: string): string {
  const folder = temporaryDirectory();
  const path = join(folder, "tokens");
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

function bearing(token: string, userId: string) {
  return { Authorization: `Bearer ${token}`, [ACTING_USER_HEADER]: userId };
}

async function asked(engine: TestEngine, headers: Record<string, string>, path: string = PATHS.users) {
  const response = await fetch(`${engine.url}${path}`, { headers });
  const { error } = response.ok ? { error: null } : errorResponse.parse(await response.json());
  return { status: response.status, code: error?.code ?? null };
}

const OPEN = "MKT_ENGINE_ALLOW_UNAUTHENTICATED";

describe("the settings of an engine's access", () => {
  const faultsOf = (environment: Record<string, string>, host = "127.0.0.1") => {
    const read = readEngineAccess(environment, host);
    return "faults" in read ? read.faults.map(({ variable, message }) => `${variable}: ${message}`) : [];
  };

  test("admit loopback names and need no token by default; an empty variable counts as not set", () => {
    const nothing = { token: null, tokenFile: null, allowedHosts: undefined, allowedOrigins: undefined };
    expect(readEngineAccess({}, "127.0.0.1")).toEqual({ access: nothing });
    const empty = { MKT_BEARER_TOKEN: "", MKT_ENGINE_TOKEN_FILE: "", MKT_ENGINE_ALLOWED_HOSTS: "" };
    expect(readEngineAccess(empty, "::1")).toEqual({ access: nothing });
  });

  test.each(["0.0.0.0", "::", "10.0.0.5", "engine"])("refuse to listen on %s without a token", (host) => {
    expect(faultsOf({}, host)).toEqual([
      `--host: ${host} is not a loopback address: set MKT_BEARER_TOKEN or MKT_ENGINE_TOKEN_FILE, ` +
      "or MKT_ENGINE_ALLOW_UNAUTHENTICATED=1 to allow unauthenticated access",
    ]);
    expect(faultsOf({ MKT_BEARER_TOKEN: "a-token" }, host)).toEqual([]);
    expect(faultsOf({ MKT_ENGINE_TOKEN_FILE: tokenFile(`desk ${DESK} *`) }, host)).toEqual([]);
  });

  test.each([
    ...["1", "true"].map((text) => [text, []] as const),
    ...["", "0", "false"].map((text) => [text, ["--host"]] as const),
    ...["yes", "no", "on", "2", "TRUE", " 1"].map((text) => [text, ["--host", OPEN]] as const),
  ])("allow unauthenticated access by the value %p, or name what is wrong: %p", (text, variables) => {
    const faults = faultsOf({ [OPEN]: text }, "0.0.0.0");
    expect(faults.map((fault) => fault.split(": ")[0]!)).toEqual([...variables]);
    expect(faultsOf({ [OPEN]: text })).toHaveLength(Math.max(0, variables.length - 1));
  });

  test("report all faults at once, with their variables and without any token", () => {
    const file = tokenFile(`desk ${DESK}\n`);
    const faults = faultsOf({
      MKT_BEARER_TOKEN: "two words",
      MKT_ENGINE_TOKEN_FILE: file,
      MKT_ENGINE_ALLOWED_HOSTS: "engine, http://engine, *",
      MKT_ENGINE_ALLOWED_ORIGINS: "desk.example, https://desk.example/path",
      MKT_ENGINE_ALLOW_UNAUTHENTICATED: "yes",
    });
    expect(faults).toEqual([
      "MKT_ENGINE_ALLOW_UNAUTHENTICATED: must be 1, true, 0 or false",
      "MKT_BEARER_TOKEN: must be printable ASCII without spaces",
      `MKT_ENGINE_TOKEN_FILE: ${file}: line 1: must be a name, a token and user ids`,
      expect.stringMatching(/^MKT_ENGINE_ALLOWED_HOSTS: "http:\/\/engine" is not a host/),
      expect.stringMatching(/^MKT_ENGINE_ALLOWED_HOSTS: "\*" is not a host/),
      expect.stringMatching(/^MKT_ENGINE_ALLOWED_ORIGINS: "https:\/\/desk\.example\/path" is not an origin/),
    ]);
  });

  test("accept lists of hosts and origins", () => {
    const read = readEngineAccess({
      MKT_ENGINE_ALLOWED_HOSTS: "engine, desk:3001,,[::1], ",
      MKT_ENGINE_ALLOWED_ORIGINS: "desk.example,https://Desk.example:8443",
    }, "127.0.0.1");
    expect(read).toMatchObject({
      access: {
        allowedHosts: ["engine", "desk:3001", "[::1]"],
        allowedOrigins: ["desk.example", "https://Desk.example:8443"],
      },
    });
  });
});

describe("an engine", () => {
  const ROUTES = [PATHS.entities, PATHS.users, PATHS.audit, PATHS.orderEvents("x"), PATHS.webSocket, "/nowhere"];

  test("refuses a foreign Host and Origin at every path", async () => {
    const engine = serveTestEngine();
    const user = { [ACTING_USER_HEADER]: OPERATOR };
    for (const path of [...ROUTES, ...Object.values(SIMULATOR_PATHS)]) {
      const answers = [
        await asked(engine, { ...user, Host: "evil.example" }, path),
        await asked(engine, { ...user, Origin: "https://evil.example" }, path),
      ];
      expect([path, ...answers.map(({ status, code }) => `${status} ${code}`)])
        .toEqual([path, "403 forbidden_host", "403 forbidden_origin"]);
    }
  });

  test("answers probes of any Host at /health, and refuses a foreign Origin there too", async () => {
    const engine = serveTestEngine();
    expect(await asked(engine, { Host: "probe.example" }, PATHS.health)).toMatchObject({ status: 200 });
    expect(await asked(engine, { Origin: "https://evil.example" }, PATHS.health)).toMatchObject({ status: 403 });
  });

  test("answers a malformed Host at every path with 400 in JSON", async () => {
    const { url } = serveTestEngine();
    for (const path of [...ROUTES, PATHS.health]) {
      for (const host of ["", "a b", "[::", "x:99999", "localhost/ws"]) {
        const answer = await raw(
          url,
          (socket) => socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
        );
        expect(answer).toStartWith("HTTP/1.1 400 ");
        expect(answer.toLowerCase()).toContain("content-type: application/json");
        expect(answer).toEndWith('{"error":{"code":"malformed_request","message":"The Host header is malformed."}}');
      }
    }
  });

  test("admits the configured hosts, on /ws too, and always its own address", async () => {
    const engine = serveTestEngine({ allowedHosts: ["engine"] });
    const upgrade = (host: string) =>
      raw(
        engine.url,
        (socket) => {
          const headers = Object.entries({ Host: host, ...UPGRADE }).map(([name, value]) => `${name}: ${value}\r\n`);
          socket.write(`GET /ws HTTP/1.1\r\n${headers.join("")}\r\n`);
        },
        (text) => text.includes("\r\n\r\n"),
      );
    expect(await upgrade("engine:3001")).toStartWith("HTTP/1.1 101 ");
    expect(await upgrade("localhost:3001")).toStartWith("HTTP/1.1 403 ");
    const user = { [ACTING_USER_HEADER]: OPERATOR };
    expect(await asked(engine, { ...user, Host: "engine:3001" })).toMatchObject({ status: 200 });
    expect(await asked(engine, { ...user, Host: "localhost:3001" })).toMatchObject({ status: 403 });
    await connect(engine, OPERATOR);
    expect(await asked(engine, user)).toMatchObject({ status: 200 });
  });

  test("answers too many requests with a wrong token with 429, and still serves the right token", async () => {
    const engine = serveTestEngine({ token: DESK, limits: { unauthorizedPerSecond: 1 } });
    let answer = await fetch(`${engine.url}${PATHS.users}`);
    expect(answer.status).toBe(401);
    while (answer.status === 401) answer = await fetch(`${engine.url}${PATHS.users}`);
    expect(answer.status).toBe(429);
    expect(answer.headers.get("Retry-After")).toBe("1");
    expect(errorResponse.parse(await answer.json()).error.code).toBe("rate_limited");
    expect(await asked(engine, bearing(DESK, OPERATOR))).toMatchObject({ status: 200 });
  });

  test("refuses bodies that are too large, too deep or not JSON, with an answer in JSON", async () => {
    const engine = serveTestEngine({ limits: { frameBytes: 4096, depth: 4, values: 100 } });
    atEnd(() => simulator.close());
    const simulator = embedSimulator({ engine: { ...engine, isNew: true }, log: logger("test"), now: Date.now });
    const start = async (body: BodyInit) => {
      const init = { method: "POST", body, headers: { [ACTING_USER_HEADER]: OPERATOR } };
      const response = await fetch(`${engine.url}${SIMULATOR_PATHS.start}`, init);
      const { error } = errorResponse.parse(await response.json());
      return [response.status, error.code, error.message];
    };
    const padded = (bytes: number) => '{"speeed":1'.padEnd(bytes - 1, " ") + "}";
    const chunked = (text: string) => new Blob([text]).stream();
    const invalid = (message: string) => [400, "invalid_payload", message];
    const misnamed = invalid("speeed: no such field");
    const limit = "The request body is larger than 4096 bytes (MKT_ENGINE_MAX_FRAME_BYTES).";
    const tooLarge = [413, "payload_too_large", limit];
    expect(await start(padded(4096))).toEqual(misnamed);
    expect(await start(padded(4097))).toEqual(tooLarge);
    expect(await start(chunked(padded(4096)))).toEqual(misnamed);
    expect(await start(chunked(padded(4097)))).toEqual(tooLarge);
    expect(await start("{")).toEqual(invalid("the body is not JSON"));
    const text = await start(new Uint8Array([0x22, 0xff, 0x22]));
    expect(text).toEqual([400, "invalid_body", "The request body is not UTF-8."]);
    expect(await start("[[[[[]]]]]")).toEqual(invalid("the body is nested more than 4 deep"));
    expect(await start(`[${Array(100).fill(0)}]`)).toEqual(invalid("the body has more than 100 values"));
  });

  test("answers a plain HTTP request for /ws with 426", async () => {
    expect(await asked(serveTestEngine(), {}, PATHS.webSocket)).toEqual({ status: 426, code: "upgrade_required" });
  });
});

describe("a token for certain users", () => {
  const file = () => tokenFile(`desk ${DESK} ${BUYER},${SELLER},ghost\nrobot ${ROBOT} *\n`);

  test("acts as its users over HTTP, and is answered differently from a wrong token", async () => {
    const engine = serveTestEngine({ tokenFile: file(), token: NEXT });
    for (const userId of [BUYER, SELLER]) {
      expect(await asked(engine, bearing(DESK, userId))).toEqual({ status: 200, code: null });
    }
    expect(await asked(engine, bearing(DESK, OPERATOR))).toEqual({ status: 403, code: "user_not_covered" });
    // A token does not reveal whether a user that it does not cover exists.
    expect(await asked(engine, bearing(DESK, "nobody"))).toEqual({ status: 403, code: "user_not_covered" });
    expect(await asked(engine, bearing(DESK, "ghost"))).toEqual({ status: 403, code: "unknown_user" });
    expect(await asked(engine, bearing("another-token-----", BUYER))).toEqual({ status: 401, code: "unauthorized" });
    for (const token of [ROBOT, NEXT]) {
      expect(await asked(engine, bearing(token, OPERATOR))).toEqual({ status: 200, code: null });
    }
  });

  test("sends a hello as its users, and as nobody else", async () => {
    const engine = serveTestEngine({ tokenFile: file() });
    await connect(engine, BUYER, { token: DESK });
    await connect(engine, OPERATOR, { token: ROBOT });
    const hello = async (userId: string, token?: string) =>
      await (await new TestClient(engine.webSocketUrl).hello({ userId, token })).refused();
    expect(await hello(OPERATOR, DESK)).toBe("user_not_covered");
    expect(await hello("nobody", DESK)).toBe("user_not_covered");
    expect(await hello("ghost", DESK)).toBe("unknown_user");
    expect(await hello(BUYER, "another-token-----")).toBe("unauthorized");
    expect(await hello(BUYER)).toBe("unauthorized");
  });

  test("that is removed is refused at once over HTTP and in a hello, and its connections end; others stay", async () => {
    const tokens = file();
    const engine = serveTestEngine({ tokenFile: tokens, token: "a-variable's-token" });
    const going = [await connect(engine, BUYER, { token: DESK }), await connect(engine, SELLER, { token: DESK })];
    const staying = await connect(engine, BUYER, { token: ROBOT });
    const byVariable = await connect(engine, BUYER, { token: "a-variable's-token" });
    writeFileSync(tokens, `desk ${NEXT} ${BUYER},${SELLER}\nrobot ${ROBOT} *\n`);
    expect(await asked(engine, bearing(DESK, BUYER))).toMatchObject({ status: 401 });
    const late = await new TestClient(engine.webSocketUrl).hello({ userId: BUYER, token: DESK });
    for (const client of [late, ...going]) expect(await client.refused()).toBe("unauthorized");
    await connect(engine, SELLER, { token: NEXT });
    for (const client of [staying, byVariable]) {
      await client.settled();
      expect(client.closed).toBeNull();
    }
  });

  test("that loses a user ends the connections of that user alone", async () => {
    const tokens = file();
    const engine = serveTestEngine({ tokenFile: tokens });
    const buyer = await connect(engine, BUYER, { token: DESK });
    const seller = await connect(engine, SELLER, { token: DESK });
    writeFileSync(tokens, `desk ${DESK} ${BUYER}\n`);
    expect(await seller.refused()).toBe("user_not_covered");
    await buyer.settled();
    expect(buyer.closed).toBeNull();
  });

  test("is not needed by the process itself, which has its own secret token", async () => {
    const engine = serveTestEngine({ tokenFile: file() });
    const ownToken = engine.ownToken ?? expect.unreachable();
    expect(ownToken.length).toBeGreaterThan(30);
    await connect(engine, OPERATOR, { token: ownToken });
    expect(serveTestEngine().ownToken).toBeNull();
    expect(serveTestEngine({ tokenFile: file() }).ownToken).not.toBe(ownToken);
  });
});
