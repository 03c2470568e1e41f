import { afterAll, describe, expect, test } from "bun:test";
import { BackendAuditStore } from "../../../core/audit/backend-audit-store.ts";
import { HttpStateClient } from "../../../core/backend/http-state-client.ts";
import { errorOf } from "./support/clients.ts";

const ENTITY = { id: "north", name: "North", code: "N", userIds: ["u-1"], creditStatus: "ok", region: "x" };
const USER = { id: "u-1", name: "U", entityId: null, permissions: ["Market.View"], connected: false };
const PAGE = { events: [], hasMore: false, cursor: null, range: { from: "2030-01-01", to: "2030-01-02" } };

let answer: (request: Request) => Response | Promise<Response> = () => Response.json({});
const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: (request) => answer(request) });
afterAll(() => server.stop(true));

const baseUrl = `http://127.0.0.1:${server.port}`;
const options = { baseUrl, token: "secret" as string | null, actingUserId: () => "u-1", timeoutMs: 600_000 };
const client = new HttpStateClient(options);

describe("HttpStateClient", () => {
  test("sends the token and the acting user, and returns the data of the backend", async () => {
    const asked: string[] = [];
    answer = (request) => {
      const { pathname } = new URL(request.url);
      asked.push(`${pathname} ${request.headers.get("Authorization")} ${request.headers.get("X-Mkt-User")}`);
      if (pathname === "/health") return Response.json({ status: "ok", engineId: "e-1", more: 1 });
      return Response.json(pathname.endsWith("users") ? { users: [USER] } : { entities: [ENTITY] });
    };
    expect(await client.entities()).toEqual([ENTITY as never]);
    expect(await client.users()).toEqual([USER]);
    const unknown = { time: null, marketTime: null, clock: null, version: null, refusal: null, clockJumpSeconds: 0 };
    expect(await client.health()).toEqual({ engineId: "e-1", ...unknown });
    expect(asked).toEqual([
      "/api/admin/entities Bearer secret u-1",
      "/api/admin/users Bearer secret u-1",
      "/health Bearer secret u-1",
    ]);
    answer = (request) => Response.json({ users: [], authorization: request.headers.get("Authorization") });
    expect(await new HttpStateClient({ ...options, token: null }).users()).toEqual([]);
  });

  const block = { counterpartyId: null, reason: "a new reason", quantity: 1.5, contractId: "c", price: -3 };
  const blocks = { orderId: "a/b", contractId: "c", marketStatus: "open", moreCounterparties: 0, complete: true };
  const figures = { netQuantity: null, netEnergy: 0, cash: 0, realisedProfit: 0, unrealisedProfit: 0, profit: 0 };
  const totals = { ...figures, creditUsed: null, settled: { contracts: 0, profit: 0 } };
  const positions = { entityId: "a/b", asOf: "2030-01-01T00:00:00Z", positions: [], totals };
  test.each(
    [
      ["orderBlocks", "/api/admin/orders/a%2Fb/blocks", { ...blocks, blockedBy: [block] }, "unknown_order"],
      ["positions", "/api/admin/entities/a%2Fb/positions", positions, "unknown_entity"],
    ] as const,
  )(
    "%s gives null if the backend has no such route, and not_found for an unknown id",
    async (name, path, body, unknown) => {
      let asked = "";
      answer = (request) => {
        asked = new URL(request.url).pathname;
        return Response.json(body);
      };
      expect(await client[name]("a/b")).toEqual(body as never);
      expect(asked).toBe(path);
      for (const status of [404, 405, 501]) {
        answer = () => new Response("<h1>no such page</h1>", { status });
        expect(await client[name]("o")).toBeNull();
        answer = () => Response.json({ error: { code: "not_found", message: "There is no such route." } }, { status });
        expect(await client[name]("o")).toBeNull();
      }
      answer = () => Response.json({ error: { code: unknown, message: "there is none" } }, { status: 404 });
      expect(await errorOf(client[name]("o"))).toMatchObject({ code: "not_found" });
      answer = () => Response.json({ error: { code: "forbidden", message: "not yours" } }, { status: 403 });
      expect(await errorOf(client[name]("o"))).toMatchObject({ code: "forbidden" });
      answer = () => Response.json({ ...body, contractId: 7, asOf: 7 });
      expect(await errorOf(client[name]("o"))).toMatchObject({ code: "backend_error" });
    },
  );

  test("throws backend_unavailable with the address and what to check if nothing answers", async () => {
    const gone = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
    const url = `http://127.0.0.1:${gone.port}`;
    await gone.stop(true);
    expect(await errorOf(new HttpStateClient({ ...options, baseUrl: url }).entities())).toMatchObject({
      code: "backend_unavailable",
      message: expect.stringContaining(url),
      hint: expect.stringContaining("MKT_BASE_URL"),
    });
  });

  test("does not wait longer than its limit, also for the rest of a body", async () => {
    const hasty = new HttpStateClient({ ...options, timeoutMs: 30 });
    const never = Promise.withResolvers<Response>();
    answer = () => never.promise;
    expect(await errorOf(hasty.entities()))
      .toMatchObject({ code: "backend_unavailable", message: expect.stringContaining("within 30 ms") });
    answer = () =>
      new Response(new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode("{")) }));
    expect(await errorOf(hasty.entities())).toMatchObject({ code: "backend_unavailable" });
    never.resolve(new Response());
  });

  test.each<[string, (signal: AbortSignal) => Promise<unknown>]>([
    ["entities", (signal) => client.entities(signal)],
    ["users", (signal) => client.users(signal)],
    ["orderBlocks", (signal) => client.orderBlocks("o", signal)],
    ["positions", (signal) => client.positions("e", signal)],
    ["health", (signal) => client.health(signal)],
  ])("%s throws the reason of an abort", async (_name, ask) => {
    const abort = new AbortController();
    answer = () => {
      abort.abort(new Error("the client went away"));
      return Response.json({ error: { code: "x", message: "late" } }, { status: 500 });
    };
    expect((await errorOf(ask(abort.signal))).message).toBe("the client went away");
  });

  test("health has every field that the engine tells", async () => {
    const told = {
      engineId: "e-1",
      time: "2030-01-01T00:00:00.000Z",
      marketTime: "2030-02-02T00:00:00.000Z",
      clock: { mode: "lockstep", speed: 1 },
      version: "1.2.3",
      refusal: { code: "disk_full", message: "No space." },
      clockJumpSeconds: -5,
    };
    answer = () => Response.json({ status: "ok", ...told });
    expect(await client.health()).toEqual(told as never);
  });

  test.each([
    [401, "forbidden", /MKT_BEARER_TOKEN/],
    [403, "forbidden", /u-1/],
    [429, "rate_limited", /^Wait .*\.$/],
  ])("throws for %d the code %s, with the backend's message", async (status, code, hint) => {
    answer = () => Response.json({ error: { code, message: "The backend's message." } }, { status });
    expect(await errorOf(client.entities())).toMatchObject({
      code,
      message: expect.stringContaining("The backend's message."),
      hint: expect.stringMatching(hint),
    });
  });

  test.each([
    ["a redirection, which would carry the token away", () => Response.redirect(`${baseUrl}/elsewhere`, 302)],
    ["a page that is no JSON", () => new Response("<html>")],
    ["an empty body", () => new Response("")],
    ["entities outside the protocol", () => Response.json({ entities: [{ id: "north" }] })],
  ])("throws backend_error for %s", async (_what, respond) => {
    answer = respond;
    expect(await errorOf(client.entities())).toMatchObject({ code: "backend_error" });
  });
});

describe("an answer outside the protocol", () => {
  test("is reported with its status and the backend's message, even if its body would fit", async () => {
    answer = () => Response.json({ entities: [], error: { code: "x", message: "Out of order." } }, { status: 500 });
    expect(await errorOf(client.entities())).toMatchObject({
      code: "backend_error",
      message: expect.stringContaining("answered 500 to GET /api/admin/entities: Out of order."),
    });
  });

  test("is reported with its fields, each once and at most five", async () => {
    const told = async (body: unknown) => {
      answer = () => Response.json(body);
      return /not in the protocol \((.*)\)/.exec((await errorOf(client.entities())).message)?.[1];
    };
    expect(await told({ entities: [{ ...ENTITY, id: 3 }, { ...ENTITY, code: null }] })).toBe(
      "entities.0.id, entities.1.code",
    );
    expect(await told([])).toBe("body");
    const wrong = Array.from({ length: 6 }, () => ({ ...ENTITY, id: 3 }));
    expect(await told({ entities: wrong.slice(0, 5) })).toContain("entities.4.id");
    expect(await told({ entities: wrong })).not.toContain("entities.5.id");
  });
});

describe("BackendAuditStore", () => {
  const store = new BackendAuditStore(options);

  test("sends exactly the parameters of the query", async () => {
    let asked = "";
    answer = (request) => {
      asked = request.url.slice(baseUrl.length);
      return Response.json(PAGE);
    };
    expect(await store.query({ from: "2030-01-01", to: "2030-01-02", limit: 50, search: "a&b=c", event: undefined }))
      .toEqual(PAGE);
    expect(asked).toBe("/api/admin/audit?from=2030-01-01&to=2030-01-02&limit=50&search=a%26b%3Dc");
    await store.orderEvents("o/1 ?", { date: "2030-01-01", limit: 1000 });
    expect(asked).toBe("/api/admin/orders/o%2F1%20%3F/events?date=2030-01-01&limit=1000");
  });

  test.each([
    [400, "invalid_input"],
    [414, "invalid_input"],
    [431, "invalid_input"],
    [404, "backend_error"],
    [500, "backend_error"],
  ])("says for %d that it is %s", async (status, code) => {
    answer = () => Response.json({ error: { code: "x", message: "No such day." } }, { status });
    const error = await errorOf(store.query({ from: "2030-01-01", to: "2030-01-02", limit: 50 }));
    expect(error).toMatchObject({ code, message: expect.stringContaining("No such day.") });
  });

  test("says that the caller must wait if the backend runs too many searches of this user", async () => {
    const error = { code: "too_many_searches", message: "24 run or wait" };
    answer = () => Response.json({ error }, { status: 503 });
    expect((await errorOf(store.orderEvents("o", { limit: 1 }))).report()).toEqual({
      code: "rate_limited",
      message: "The backend refused: 24 run or wait.",
      hint: "Wait a few seconds and call again.",
    });
    answer = () => Response.json({ error: { code: "x", message: "No server." } }, { status: 503 });
    expect(await errorOf(store.orderEvents("o", { limit: 1 }))).toMatchObject({ code: "backend_error" });
  });

  test.each([
    [
      "a search",
      (signal: AbortSignal) => store.query({ from: "2030-01-01", to: "2030-01-02", limit: 5 }, undefined, signal),
    ],
    ["the events of an order", (signal: AbortSignal) => store.orderEvents("o", { limit: 1 }, signal)],
  ])("ends %s with its caller", async (_, ask) => {
    const abort = new AbortController();
    const never = Promise.withResolvers<Response>();
    answer = () => {
      abort.abort(new Error("the client went away"));
      return never.promise;
    };
    expect((await errorOf(ask(abort.signal))).message).toBe("the client went away");
    never.resolve(new Response());
  });

  test("fails as the state client does", async () => {
    answer = () => Response.json({ error: { code: "forbidden", message: "No." } }, { status: 403 });
    expect(await errorOf(store.query({ from: "2030-01-01", to: "2030-01-02", limit: 50 })))
      .toMatchObject({ code: "forbidden" });
    answer = () => Response.json({ ...PAGE, hasMore: "perhaps" });
    expect(await errorOf(store.orderEvents("o", { limit: 1 }))).toMatchObject({ code: "backend_error" });
  });
});
