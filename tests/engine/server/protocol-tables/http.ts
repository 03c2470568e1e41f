// The HTTP routes and failures of docs/backend-protocol.md, against an engine that is served with its simulator.

import { expect } from "bun:test";
import { logger } from "../../../../common/logger.ts";
import type { MarketDefinition } from "../../../../engine/definition/market-definition.ts";
import { ACTING_USER_HEADER, errorResponse, PERMISSIONS, SIMULATOR_ERROR_CODES } from "../../../../protocol/index.ts";
import { embedSimulator } from "../../../../sim/live/embedded-simulator.ts";
import { raw } from "../../../support/raw-http.ts";
import { atEnd } from "../../../support/at-end.ts";
import type { Row } from "../../../support/document-tables.ts";
import { BUYER, connect, OPERATOR, serveTestEngine, submit, type TestEngine, UPGRADE } from "../harness.ts";

const WITHOUT = (permission: string) => `without-${permission}`;

/** For each permission a user of RIVERBEND who lacks it alone. */
function withLackingUsers(definition: MarketDefinition): MarketDefinition {
  const users = PERMISSIONS.map((lacking): MarketDefinition["users"][number] => ({
    id: WITHOUT(lacking),
    name: lacking,
    entityId: "RIVERBEND",
    permissions: PERMISSIONS.filter((permission) => permission !== lacking),
  }));
  return { ...definition, users: [...definition.users, ...users] };
}

function served(options: Parameters<typeof serveTestEngine>[0] = {}): TestEngine {
  const engine = serveTestEngine(options, withLackingUsers);
  const simulator = embedSimulator({ engine: { ...engine, isNew: true }, log: logger("test"), now: Date.now });
  atEnd(() => simulator.close());
  return engine;
}

async function ask(engine: TestEngine, route: string, headers: Record<string, string>, body?: BodyInit) {
  const [method = "", path = ""] = route.split(" ");
  const init: RequestInit = { method, headers, ...(method === "POST" && { body: body ?? "{}" }) };
  const response = await fetch(`${engine.url}${path}`, init);
  const answer: unknown = response.headers.get("Content-Type")?.includes("json") ? await response.json() : null;
  return { status: response.status, headers: response.headers, answer };
}

const as = (userId: string) => ({ [ACTING_USER_HEADER]: userId });

/** The names in `{ a, b?, c: "x" }` that are never absent. */
function namesIn(cell: string): string[] {
  const [, list = ""] = /\{ (.*?) \}/.exec(cell) ?? [];
  return list.split(", ").map((name) => name.split(":")[0] ?? "").filter((name) => name !== "" && !name.endsWith("?"));
}

/** What a path needs in place of its parameters, and in its query or body. */
const REQUESTS: Readonly<Record<string, { query?: string; body?: object }>> = {
  "GET /api/admin/audit": { query: "?from=2026-01-01&to=2026-01-02" },
  "POST /api/sim/events": { body: { type: "heat_wave" } },
};
/** Answers that need another state of the engine than one that has just started; the code that it gives. */
const FAILING: Readonly<Record<string, [status: number, code: string]>> = {
  "GET /api/admin/backup": [409, "no_data_directory"],
  "POST /api/admin/clock/accept": [409, "no_clock_jump"],
  "POST /api/sim/events": [409, "not_running"],
};

/** Asks without and with the permission, and compares the names of the answer's fields. */
export async function route(row: Row): Promise<void> {
  const { name, cells } = row;
  const engine = served({ token: "sesame" });
  submit(engine);
  const request = REQUESTS[name] ?? {};
  const target = name.replace("{entityId}", "RIVERBEND").replace("{orderId}", "ORD-1") + (request.query ?? "");
  const bearer = { Authorization: "Bearer sesame" };
  const body = JSON.stringify(request.body ?? {});
  const permission = PERMISSIONS.find((one) => cells[1] === one);
  const isOpen = cells[1] === "none, and no token";
  expect((await ask(engine, target, as(OPERATOR), body)).status).toBe(isOpen ? 200 : 401);
  const needsUser = !isOpen && cells[1] !== "none, and no user";
  expect((await ask(engine, target, bearer, body)).status).toBe(needsUser ? 403 : 200);
  if (permission !== undefined) {
    const refused = await ask(engine, target, { ...bearer, ...as(WITHOUT(permission)) }, body);
    expect([refused.status, errorResponse.parse(refused.answer).error.code]).toEqual([403, "forbidden"]);
  } else expect(cells[1]).toStartWith("none");
  const user = permission === undefined ? BUYER : OPERATOR;
  const { status, answer } = await ask(engine, target, { ...bearer, ...as(user) }, body);
  const failing = FAILING[name];
  if (failing !== undefined) return expect([status, errorResponse.parse(answer).error.code]).toEqual(failing);
  expect(status).toBe(200);
  expect(Object.keys(Object(answer))).toEqual(expect.arrayContaining(namesIn(cells.at(-1) ?? "")));
}

const users = (path = "/api/admin/users") => `GET ${path}`;
const LIMITED = { limits: { frameBytes: 4096, requestsPerSecond: 1, connections: 1 }, rateClock: () => 0 };

/** A request for each failure: status and code must be those of the row, and Retry-After there if the row says so. */
const FAILURES: Readonly<Record<string, () => Promise<Awaited<ReturnType<typeof ask>>>>> = {
  "400 invalid_query": () => ask(served(), "GET /api/admin/audit", as(OPERATOR)),
  "400 invalid_body": () => ask(served(), "POST /api/sim/start", as(OPERATOR), new Uint8Array([0x22, 0xff, 0x22])),
  "413 payload_too_large": () =>
    ask(served({ limits: { frameBytes: 4096 } }), "POST /api/sim/start", as(OPERATOR), " ".repeat(4097)),
  "401 unauthorized": () => ask(served({ token: "sesame" }), users(), as(OPERATOR)),
  "403 unknown_user": () => ask(served(), users(), {}),
  "403 forbidden": () => ask(served(), "POST /api/sim/start", as(WITHOUT("Market.Operate"))),
  "403 forbidden_host": () => ask(served(), users(), { ...as(OPERATOR), Host: "evil.example" }),
  "403 forbidden_origin": () => ask(served(), users(), { ...as(OPERATOR), Origin: "https://evil.example" }),
  "404 not_found": () => ask(served(), users("/nowhere"), as(OPERATOR)),
  "404 unknown_entity": () => ask(served(), "GET /api/admin/entities/NOBODY/positions", as(OPERATOR)),
  "404 unknown_order": () => ask(served(), "GET /api/admin/orders/ORD-9/blocks", as(OPERATOR)),
  "409 no_clock_jump": () => ask(served(), "POST /api/admin/clock/accept", as(OPERATOR)),
  "409 no_data_directory": () => ask(served(), "GET /api/admin/backup", as(OPERATOR)),
  "426 upgrade_required": () => ask(served(), "GET /ws", {}),
  "429 rate_limited": async () => {
    const engine = served(LIMITED);
    for (let sent = 0; sent < 2; sent++) await ask(engine, users(), as(OPERATOR));
    return await ask(engine, users(), as(OPERATOR));
  },
  "503 too_many_connections": async () => {
    const engine = served({ limits: { connections: 1 } });
    await connect(engine, BUYER);
    return await ask(engine, "GET /ws", UPGRADE);
  },
};

async function failure(row: Row): Promise<void> {
  const { status, headers, answer } = await FAILURES[row.name]!();
  expect(`${status} ${errorResponse.parse(answer).error.code}`).toBe(row.name);
  const text = row.cells.join();
  for (const header of ["Retry-After", "WWW-Authenticate"]) expect(headers.has(header)).toBe(text.includes(header));
}

export const HTTP_FAILURES = {
  ...Object.fromEntries(Object.keys(FAILURES).map((name) => [name, failure])),
  "400 malformed_request": async (row: Row) => {
    const answer = await raw(
      served().url,
      (socket) => socket.write("GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n"),
    );
    expect(answer).toStartWith("HTTP/1.1 400 ");
    expect(answer).toContain(`"code":"${row.codes(1)[0]}"`);
  },
  "403 user_not_covered": {
    file: "tests/engine/server/http/engine-access.test.ts",
    test: "acts as its users over HTTP, and is answered differently from a wrong token",
  },
  "408 request_timeout": {
    file: "tests/common/http/request-bodies.test.ts",
    test: "a body that is not complete in time is 408, and one that is complete just before is read",
  },
  "500 internal": {
    file: "tests/engine/server/host/broken-invariant.test.ts",
    test: "ends connections and engine; the journal has it without its payload, and the restart leaves it out",
  },
  "503 too_many_searches": {
    file: "tests/engine/server/http/audit-routes.test.ts",
    test: "of many searches at once a few run, some wait, and the rest of this user get 503 with Retry-After",
  },
  "503 busy": {
    file: "tests/common/http/request-bodies.test.ts",
    test: "may reach their limit while they are processed; one byte more is 503, until capacity is released",
  },
  "503 backup_running": {
    file: "tests/engine/backup/running-backup.test.ts",
    test: "is the only one, until it ends or its client gives it up",
  },
};

const startBody = (body: object) => ask(served(), "POST /api/sim/start", as(OPERATOR), JSON.stringify(body));

export const SIMULATOR_FAILURES = {
  "400 invalid_payload": async (row: Row) => {
    const { status, answer } = await startBody({ personas: [{ strategy: "unknown", count: 1 }] });
    const { code, message } = errorResponse.parse(answer).error;
    expect(`${status} ${code}`).toBe(row.name);
    expect(message).toContain("retailer");
    expect<readonly string[]>(SIMULATOR_ERROR_CODES).toContain(code);
  },
  "409 already_running": {
    file: "tests/sim/live/control.test.ts",
    test: "succeeds for a start with the settings of the run, and refuses other settings",
  },
  "409 stopping": {
    file: "tests/sim/live/control.test.ts",
    test: "stops a simulation that is starting, and refuses to start one that is stopping",
  },
  "409 not_running": async (row: Row) => {
    const { status, answer } = await ask(served(), "POST /api/sim/events", as(OPERATOR), '{"type":"heat_wave"}');
    expect(`${status} ${errorResponse.parse(answer).error.code}`).toBe(row.name);
  },
  "503 engine_unavailable": {
    file: "tests/sim/live/standalone-simulator.test.ts",
    test: "answers 503 while its engine is unreachable, and 200 to health checks",
  },
};
