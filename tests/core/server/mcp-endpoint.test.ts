// What POST /mcp passes on to each of its parts, in which order, and that a request gives back its place and the memory of
// its body however it ends.

import { describe, expect, test } from "bun:test";
import { RequestSlot } from "../../../core/server/limits/request-limit.ts";
import { McpEndpoint } from "../../../core/server/mcp-endpoint.ts";
import type { PlainBody } from "../../../core/server/plain/plain-transport.ts";
import type { HttpExchange } from "../../../core/server/sdk/exchange/http-exchange.ts";

type Parts = ConstructorParameters<typeof McpEndpoint>[0];
type PlainAnswer = PlainBody | Promise<PlainBody | Response | null> | null;

const MESSAGE = { jsonrpc: "2.0", id: 1, method: "ping" };
const REFUSAL = { status: 418, code: "no", message: "No." };
const JSON_BODY: PlainBody = { type: "json", body: "{}" };
const STREAM: PlainBody = { type: "stream", body: new ReadableStream<string>() };
const sdkAnswer = () => Response.json("of the SDK");

interface Given {
  readonly body?: unknown;
  readonly type?: string;
  readonly holder?: { readonly name: string | null } | null;
  /** What the check of hosts gives. */
  readonly hosts?: object | null;
  /** What the count of each admission gives; null: no limit. */
  readonly rate?: ((count: number) => Promise<boolean>) | null;
  readonly slot?: object;
  readonly read?: () => Promise<object>;
  /** Null: the SDK answers everything. */
  readonly plain?: ((exchange: HttpExchange) => PlainAnswer) | null;
  readonly sdk?: () => Promise<Response>;
}

async function answered(given: Given = {}) {
  const { body = MESSAGE, type = "application/json", holder = { name: "desk" }, hosts = null } = given;
  const { rate = () => Promise.resolve(true), plain = () => JSON_BODY, sdk = () => Promise.resolve(sdkAnswer()) } =
    given;
  const steps: unknown[] = [];
  const errors: unknown[] = [];
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const whole = () => Promise.resolve({ kind: "whole", bytes: new TextEncoder().encode(text) });
  let exchange!: HttpExchange;
  const now = { holder };
  const parts = {
    hosts: { refusal: (_request: Request, path: string) => (steps.push(`hosts ${path}`), hosts) },
    authentication: {
      holderOf: () => now.holder,
      refusal: (address: string) => (steps.push(`refusal ${address}`), Promise.resolve(REFUSAL)),
    },
    rate: rate === null ? null : {
      perSecond: 5,
      admits: (client: string, count = 1) => (steps.push(`rate ${client} ${count}`), rate(count)),
    },
    slots: {
      take: (client: string) => {
        steps.push(`slot ${client}`);
        return given.slot ?? new RequestSlot(() => steps.push("freed"));
      },
    },
    bodies: {
      read: (_request: Request, client: string) => {
        steps.push(`body ${client}`);
        return { body: (given.read ?? whole)(), release: () => steps.push("released") };
      },
      refusal: (kind: string) => ({ ...REFUSAL, code: kind }),
    },
    plain: plain === null ? null : {
      answer: (_request: Request, message: unknown, of: HttpExchange) => {
        steps.push(["plain", message]);
        exchange = of;
        return plain(of);
      },
    },
    sdk: (_request: Request, options: { readonly parsedBody: unknown; readonly exchange: HttpExchange }) => {
      steps.push(["sdk", options.parsedBody]);
      exchange = options.exchange;
      return sdk();
    },
    answered: (response: Response) => (steps.push(`answered ${response.status}`), response),
    log: { error: (...message: unknown[]) => errors.push(message) },
  };
  const connection = { address: "10.0.0.1", setIdleTimeout: (seconds: number) => void steps.push(seconds) };
  // A limit goes by the connection, whatever a client or a proxy claims.
  const headers = { "Content-Type": type, "X-Forwarded-For": "10.0.0.2" };
  const request = new Request("http://a/mcp", { method: "POST", headers, body: text });
  const response = await new McpEndpoint(parts as unknown as Parts).answer(request, connection);
  return { response, steps, errors, exchange, now };
}

const CLIENT = "token desk";
const BEFORE_BODY = ["hosts /mcp", `rate ${CLIENT} 1`, `slot ${CLIENT}`, `body ${CLIENT}`];
const ENDED = ["released", "freed"];

describe("a request that is refused", () => {
  test.each<[string, Given, unknown[], number]>([
    ["by its host", { hosts: REFUSAL }, ["hosts /mcp"], 418],
    ["without a token", { holder: null }, ["hosts /mcp", "refusal 10.0.0.1"], 418],
    ["above its rate", { rate: () => Promise.resolve(false) }, BEFORE_BODY.slice(0, 2), 429],
    ["without a place", { slot: REFUSAL }, BEFORE_BODY.slice(0, 3), 418],
    ["with a body that is too slow", { read: () => Promise.resolve({ kind: "too_slow" }) }, [
      ...BEFORE_BODY,
      ...ENDED,
    ], 418],
    [
      "with a body that is no text",
      {
        read: () => Promise.resolve({ kind: "whole", bytes: Uint8Array.of(255) }),
      },
      [...BEFORE_BODY, ...ENDED],
      418,
    ],
    ["of another type", { type: "text/plain" }, [...BEFORE_BODY, ...ENDED], 415],
    ["that is no JSON", { body: "{" }, [...BEFORE_BODY, ...ENDED], 400],
    [
      "as a batch above its rate",
      { body: [MESSAGE, MESSAGE, MESSAGE], rate: (count) => Promise.resolve(count === 1) },
      [
        ...BEFORE_BODY,
        `rate ${CLIENT} 2`,
        ...ENDED,
      ],
      429,
    ],
  ])("%s has passed the steps before, and goes no further", async (_what, given, steps, status) => {
    const { response, steps: taken, errors } = await answered(given);
    expect([taken, errors]).toEqual([[...steps, `answered ${status}`], []]);
    expect(response.status).toBe(status);
  });

  test.each<[string, Given]>([
    ["the count of its rate", { rate: () => Promise.reject(new Error("inside")) }],
    ["the count of its batch", {
      body: [MESSAGE, MESSAGE, MESSAGE],
      rate: (count) => count === 1 ? Promise.resolve(true) : Promise.reject(new Error("inside")),
    }],
    ["reading its body", { read: () => Promise.reject(new Error("inside")) }],
    ["the short way", { plain: () => Promise.reject(new Error("inside")) }],
    ["the short way at once", {
      plain: () => {
        throw new Error("inside");
      },
    }],
    ["the SDK", { plain: null, sdk: () => Promise.reject(new Error("inside")) }],
  ])("because %s fails is 500 without detail, is logged, and gives everything back", async (_what, given) => {
    const { response, steps: taken, errors } = await answered(given);
    expect([response.status, await response.text()]).toEqual([500, expect.not.stringContaining("inside")]);
    expect(errors).toEqual([["POST /mcp failed: {error}", { error: expect.stringContaining("inside") }]]);
    expect(taken.filter((step) => typeof step === "string" && step.startsWith("slot"))).toHaveLength(
      taken.filter((step) => step === "freed").length,
    );
    expect(taken.filter((step) => typeof step === "string" && step.startsWith("body"))).toHaveLength(
      taken.filter((step) => step === "released").length,
    );
    expect(taken.at(-1)).toBe("answered 500");
  });
});

test.each<[string, NonNullable<Given["plain"]> | null, boolean, string, boolean]>([
  ["at once", () => JSON_BODY, false, "{}", true],
  ["later", () => Promise.resolve(JSON_BODY), false, "{}", true],
  ["by the SDK, which says so at once", () => null, true, '"of the SDK"', true],
  ["by the SDK, which turns out later", () => Promise.resolve(null), true, '"of the SDK"', true],
  ["by the SDK alone", null, true, '"of the SDK"', true],
  ["with a stream at once", () => STREAM, false, "", false],
  ["with a stream later", () => Promise.resolve(STREAM), false, "", false],
])("a message is answered %s, and until then the connection may be idle for long", async (_way, ...rest) => {
  const [plain, isOfSdk, text, isComplete] = rest;
  const { response, steps, errors } = await answered({ plain });
  expect(steps).toEqual([
    ...BEFORE_BODY,
    255,
    ...plain === null ? [] : [["plain", MESSAGE]],
    ...isOfSdk ? [["sdk", MESSAGE]] : [],
    ...isComplete ? [10] : [],
    ...ENDED,
    "answered 200",
  ]);
  expect(errors).toEqual([]);
  if (isComplete) expect(await response.text()).toBe(text);
});

test("a stream of the SDK keeps the longer time", async () => {
  const headers = { "Content-Type": "text/event-stream" };
  const { steps } = await answered({
    plain: null,
    sdk: () => Promise.resolve(new Response("data: 1\n\n", { headers })),
  });
  expect(steps.filter((step) => typeof step === "number")).toEqual([255]);
});

test("a batch counts its further messages, one message and none nothing more, and without a limit nothing counts", async () => {
  const counted = async (body: unknown, rate?: null) =>
    (await answered({ body, ...(rate === null && { rate }), plain: null })).steps
      .filter((step) => typeof step === "string" && step.startsWith("rate"));
  expect(await counted([MESSAGE, MESSAGE, MESSAGE])).toEqual([`rate ${CLIENT} 1`, `rate ${CLIENT} 2`]);
  for (const body of [[MESSAGE], MESSAGE]) expect(await counted(body)).toEqual([`rate ${CLIENT} 1`]);
  expect(await counted([MESSAGE, MESSAGE], null)).toEqual([]);
});

test.each([true, false])(
  "the exchange names caller and client, and frees the place once; by the SDK: %p",
  async (bySdk) => {
    const freed: number[] = [];
    const plain = bySdk ? null : (of: HttpExchange) => (of.freeSlot(), of.freeSlot(), freed.push(1), JSON_BODY);
    const { exchange, steps, now } = await answered({ plain });
    expect([exchange.caller, exchange.client]).toEqual(["desk", CLIENT]);
    expect(steps.filter((step) => step === "freed")).toHaveLength(1);
    if (!bySdk) expect(steps.indexOf("freed")).toBeLessThan(steps.indexOf(10));
    expect(exchange.isAccepted()).toBeTrue();
    now.holder = { name: "other" };
    expect(exchange.isAccepted()).toBeFalse();
    now.holder = null;
    expect(exchange.isAccepted()).toBeFalse();
  },
);

test("without tokens the limits are those of the address", async () => {
  const { exchange, steps, now } = await answered({ holder: { name: null } });
  expect([exchange.caller, exchange.client, exchange.isAccepted()]).toEqual([null, "address 10.0.0.1", true]);
  expect(steps).toContain("slot address 10.0.0.1");
  expect(steps).toContain("body address 10.0.0.1");
  now.holder = null;
  expect(exchange.isAccepted()).toBeFalse();
});
