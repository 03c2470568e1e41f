import { describe, expect, test } from "bun:test";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import { NEUTRAL_ADVICE } from "../../../core/advice.ts";
import { ToolCatalogue } from "../../../core/dispatch/catalogue.ts";
import { Dispatcher, type ObserveCall } from "../../../core/dispatch/dispatcher.ts";
import { ToolError } from "../../../core/error.ts";
import { InputRequired } from "../../../core/tools/client.ts";
import type { Logger } from "../../../common/logger.ts";
import { RawResult, READ_ONLY, type Tool } from "../../../core/tools/tool.ts";
import { resultOf } from "../support/results.ts";
import { toolNamed } from "../support/tools.ts";
import { pubsubThatIs, servicesWith } from "../support/services.ts";

const SCOPE = { signal: new AbortController().signal };

function doubling(overrides: Partial<Tool> = {}): Tool {
  const input = z.strictObject({
    value: z.number().int().describe("A number"),
    times: z.number().int().min(1).default(1),
  });
  return toolNamed("mkt_double", {
    input,
    output: z.looseObject({ doubled: z.number() }),
    handler: ({ value, times }: z.infer<typeof input>) => Promise.resolve({ doubled: value * 2 * times }),
    ...overrides,
  } as Partial<Tool>);
}

/** A tool whose schema accepts anything, and whose handler must not run. */
function unreachable(): Tool {
  return doubling({
    input: z.looseObject({ value: z.unknown() }),
    handler: () => Promise.reject(new Error("the handler ran")),
  });
}

function dispatcherOf(tool: Tool, services = servicesWith(), observe: ObserveCall = () => {}) {
  return new Dispatcher(new ToolCatalogue([tool]), services, observe);
}

/** The result of a call. */
async function answerOf(tool: Tool, input: unknown = { value: 1 }, services = servicesWith()) {
  return await resultOf(dispatcherOf(tool, services).call("mkt_double", input, SCOPE));
}

/** The error of a call, which must fail. */
async function refusalOf(tool: Tool, input: unknown = { value: 1 }, services = servicesWith()) {
  return errorOf(await answerOf(tool, input, services));
}

function errorOf(result: CallToolResult | null) {
  const [content] = result?.content ?? [];
  if (content?.type !== "text") throw new Error("no text");
  return (JSON.parse(content.text) as { error: { code: string; message: string; hint: string } }).error;
}

test.each([
  ["at once", () => ({ doubled: 2 })],
  ["later", () => Promise.resolve({ doubled: 2 })],
])(
  "a call that is answered %s is recorded with its outcome before its client has the answer",
  async (when, handler) => {
    const steps: string[] = [];
    const dispatcher = dispatcherOf(
      doubling({ handler }),
      servicesWith(),
      ({ tool, outcome }) => void steps.push(`${tool} ${outcome}`),
    );
    const answer = dispatcher.begin("mkt_double", { value: 1 }, SCOPE);
    expect(steps).toEqual(when === "at once" ? ["mkt_double ok"] : []);
    expect(await answer).toMatchObject({ value: { doubled: 2 } });
    for (const [name, input] of [["mkt_double", { value: 1 }], ["mkt_double", {}], ["mkt_triple", {}]] as const) {
      await dispatcher.call(name, input, SCOPE).then(() => steps.push("answered"));
    }
    expect(steps).toEqual([
      "mkt_double ok",
      ...["mkt_double ok", "answered"],
      ...["mkt_double invalid_input", "answered"],
      ...["(not offered) unknown_tool", "answered"],
    ]);
  },
);

describe("a call", () => {
  test("returns structured content and the same value as compact JSON text, with defaults", async () => {
    const result = await answerOf(doubling(), { value: 4 });
    expect(result).toEqual({ content: [{ type: "text", text: '{"doubled":8}' }], structuredContent: { doubled: 8 } });
  });

  test("of a tool that is not offered is null, a protocol error", async () => {
    expect(await resultOf(dispatcherOf(doubling()).call("mkt_triple", {}, SCOPE))).toBeNull();
  });

  test("with invalid arguments names each field, and no handler runs", async () => {
    let ran = false;
    const tool = doubling({ handler: () => Promise.resolve({ doubled: Number(ran = true) }) });
    const result = await answerOf(tool, { value: "x", times: 0, extra: 1 });
    expect(result?.isError).toBe(true);
    expect(result?.structuredContent).toBeUndefined();
    expect(errorOf(result).code).toBe("invalid_input");
    for (const field of ["value", "times", "extra"]) expect(errorOf(result).hint).toContain(field);
    expect(ran).toBe(false);
  });

  test.each([undefined, null, 3, "text", [1]])("whose handler gives %p is an internal error", async (value) => {
    const tool = doubling({ handler: () => value as unknown as Record<string, unknown> });
    expect((await refusalOf(tool)).code).toBe("internal");
  });

  test("is answered if its own result of a failure can't be made", async () => {
    const tool = doubling({
      onFailure: () => {
        throw new Error("inside");
      },
    });
    const result = await answerOf(tool, {});
    expect(errorOf(result).code).toBe("invalid_input");
    expect(JSON.stringify(result)).not.toContain("inside");
  });

  test.each([
    ["that are null", null],
    ["that are a number", 3],
    ["that are a text", "text"],
    ["that are a list", []],
    ["with a key __proto__", JSON.parse('{"value":1,"__proto__":{"times":2}}')],
    ["with a key __proto__ in a list", { value: [JSON.parse('{"__proto__":1}')] }],
    ["with a number above all others", JSON.parse('{"value":1e999}')],
    ["with NaN", { value: NaN }],
    ["with 100,000 values", { value: Array.from({ length: 100_000 }, () => 0) }],
    ["with a text of 100,000 characters", { value: "x".repeat(100_000) }],
    ["with half a surrogate pair", { value: "\ud800" }],
    ["with half a surrogate pair in a name", { "\udc00": 1 }],
    ["with 20,000 unknown parameters", Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`p${i}`, 0]))],
    ["with a key __proto__ within", { value: JSON.parse('{"__proto__":1}') }],
    ["with 100,000 levels", JSON.parse(`{"value":${"[".repeat(100_000)}${"]".repeat(100_000)}}`)],
  ])("with arguments %s is invalid input", async (_name, input) => {
    const result = await answerOf(unreachable(), input);
    expect(errorOf(result).code).toBe("invalid_input");
    expect(JSON.stringify(result).length).toBeLessThan(2000);
  });

  test("with the names of inherited properties as keys reports unknown parameters", async () => {
    for (const name of ["constructor", "prototype", "toString", "hasOwnProperty"]) {
      expect(await refusalOf(doubling(), { value: 1, [name]: {} })).toMatchObject({
        code: "invalid_input",
        message: expect.stringContaining(`${name}: no such parameter`),
      });
    }
  });

  test("with a whole number of 2^53 or above, which may be inexact, is invalid input", async () => {
    for (const value of [2 ** 53, -(2 ** 53), 1e300]) {
      expect((await refusalOf(doubling(), { value })).code).toBe("invalid_input");
    }
  });

  test("names at most ten invalid fields, and only the beginning of a made-up name", async () => {
    const input = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`p${i}${"x".repeat(500)}`, 0]));
    const error = await refusalOf(doubling(), input);
    expect(error.message).toContain("and 490 more: no such parameter");
    expect(error.message.length + error.hint.length).toBeLessThan(3000);
  });

  test("whose handler throws a ToolError returns code and hint as text only", async () => {
    const tool = doubling({
      handler: () => Promise.reject(new ToolError("not_found", "There is no such thing.", "List the things.")),
    });
    const result = await answerOf(tool);
    const error = { code: "not_found", message: "There is no such thing.", hint: "List the things." };
    expect(errorOf(result)).toEqual(error);
    expect(result?.structuredContent).toBeUndefined();
  });

  test("that its client gave up is not an internal error", async () => {
    const outcomes: string[] = [];
    const gone = new AbortController();
    const tool = doubling({
      handler: (_input, { signal }) => {
        gone.abort(new Error("gone"));
        signal.throwIfAborted();
        return { doubled: 0 };
      },
    });
    const result = await resultOf(
      dispatcherOf(tool, servicesWith(), ({ outcome }) => outcomes.push(outcome))
        .call("mkt_double", { value: 1 }, { ...SCOPE, signal: gone.signal }),
    );
    expect(errorOf(result)).toMatchObject({ code: "timeout", message: expect.stringContaining("unknown") });
    expect(outcomes).toEqual(["given_up"]);
  });

  test("whose handler fails reveals no internal details", async () => {
    const tool = doubling({ handler: () => Promise.reject(new Error("password=hunter2 at /srv/secret.ts")) });
    const result = await answerOf(tool);
    expect(errorOf(result).code).toBe("internal");
    expect(JSON.stringify(result)).not.toContain("hunter2");
  });

  test("makes texts of a raw result safe, also in embedded resources, and leaves images as they are", async () => {
    const raw: CallToolResult = {
      content: [
        { type: "text", text: "a\u202eb\nc" },
        { type: "resource", resource: { uri: "acme://r", text: "d\u200be" } },
        { type: "image", data: "AAAA", mimeType: "image/png" },
      ],
    };
    const tool = doubling({ handler: () => Promise.resolve(new RawResult(raw)) });
    expect(await answerOf(tool)).toEqual({
      content: [
        { type: "text", text: "a\\u202eb\nc" },
        { type: "resource", resource: { uri: "acme://r", text: "d\\u200be" } },
        { type: "image", data: "AAAA", mimeType: "image/png" },
      ],
    });
  });

  const uses: [string, Tool["handler"]][] = [
    ["reads the client's answers", (_, { client }) => ({ doubled: Object.keys(client.responses).length })],
    ["logs to the client", async (_, { client }) => {
      await client.log("info", "hello");
      return { doubled: 1 };
    }],
    ["asks the client", () => new InputRequired({ requests: { roots: { method: "roots/list" } } })],
  ];
  test.each(uses)("fails if its handler %s without having declared it, and the log says so", async (_, handler) => {
    const errors: unknown[] = [];
    const log = { ...servicesWith().log, error: (_: string, properties: unknown) => errors.push(properties) };
    const services = servicesWith({ log: log as unknown as Logger });
    const tool = doubling({ handler: async (input, context) => await handler(input, context) });
    const result = await answerOf(tool, { value: 1 }, services);
    expect(errorOf(result).code).toBe("internal");
    expect(JSON.stringify(errors)).toContain("usesClient: true");
  });

  test("that must ask is refused if its caller is no MCP client", async () => {
    const handler = () => new InputRequired({ requests: { roots: { method: "roots/list" } } });
    expect(await refusalOf(doubling({ usesClient: true, handler }))).toMatchObject({
      code: "forbidden",
      message: expect.stringContaining("roots/list"),
    });
  });

  test("reads the signal of its client only if the handler uses it, or fails", async () => {
    let reads = 0;
    const scope = {
      ...SCOPE,
      get signal() {
        reads += 1;
        return SCOPE.signal;
      },
    };
    const handlers: [Tool["handler"], number][] = [
      [() => ({ doubled: 1 }), 0],
      [() => Promise.resolve({ doubled: 1 }), 0],
      [(_input, { signal }) => ({ doubled: Number(signal.aborted) }), 1],
    ];
    for (const [handler, expected] of handlers) {
      reads = 0;
      await dispatcherOf(doubling({ handler })).call("mkt_double", { value: 1 }, scope);
      expect(reads).toBe(expected);
    }
  });

  test.each([true, false])(
    "gives its handler a context that can be copied; uses the client: %p",
    async (usesClient) => {
      const handler: Tool["handler"] = async (_input, context) => {
        const copy = { ...context };
        expect(Object.keys(copy)).toEqual(Object.keys(context));
        expect([copy.signal, copy.caller, copy.now()]).toEqual([SCOPE.signal, "desk", 0]);
        return { doubled: Number(await copy.waitForEvent({}, 0)) };
      };
      const scope = { ...SCOPE, caller: "desk" };
      const answer = await dispatcherOf(doubling({ usesClient, handler })).call("mkt_double", { value: 1 }, scope);
      expect(answer).toMatchObject({ text: '{"doubled":0}' });
    },
  );

  test("takes a promise of another kind from its handler", async () => {
    const later = { then: (resolve: (value: unknown) => void) => resolve({ doubled: 7 }) };
    const tool = doubling({ handler: (() => later) as never });
    expect(await dispatcherOf(tool).call("mkt_double", { value: 1 }, SCOPE)).toMatchObject({ value: { doubled: 7 } });
  });

  test("that is running is waited for by drain", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const dispatcher = dispatcherOf(doubling({ handler: () => promise.then(() => ({ doubled: 0 })) }));
    const order: string[] = [];
    const call = dispatcher.call("mkt_double", { value: 1 }, SCOPE).then(() => order.push("call"));
    const drained = dispatcher.drain(60_000).then(() => order.push("drained"));
    resolve();
    await Promise.all([call, drained]);
    expect(order).toEqual(["call", "drained"]);
  });
});

describe("a server that shuts down", () => {
  const changing = (overrides: Partial<Tool> = {}) =>
    doubling({ annotations: { ...READ_ONLY, readOnlyHint: false }, ...overrides });

  test("refuses changes from then on, even those that are allowed while frozen or read-only, and continues to read", async () => {
    for (const tool of [changing(), changing({ allowedWhenFrozen: true, allowedInReadOnly: true })]) {
      let ran = 0;
      const dispatcher = dispatcherOf({ ...tool, handler: () => ({ doubled: ++ran }) });
      expect((await resultOf(dispatcher.call("mkt_double", { value: 1 }, SCOPE)))?.isError).toBeUndefined();
      dispatcher.refuseChanges();
      const refused = errorOf(await resultOf(dispatcher.call("mkt_double", { value: 1 }, SCOPE)));
      expect(refused).toMatchObject({ code: "shutting_down", message: expect.stringContaining("nothing was sent") });
      expect(ran).toBe(1);
    }
    const reading = dispatcherOf(doubling());
    reading.refuseChanges();
    expect((await resultOf(reading.call("mkt_double", { value: 1 }, SCOPE)))?.isError).toBeUndefined();
  });

  test("lets a running change continue", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const dispatcher = dispatcherOf(changing({ handler: () => promise.then(() => ({ doubled: 0 })) }));
    const call = resultOf(dispatcher.call("mkt_double", { value: 1 }, SCOPE));
    dispatcher.refuseChanges();
    resolve();
    expect((await call)?.isError).toBeUndefined();
  });
});

describe("a tool whose result has a status", () => {
  const statusTool = (handler: Tool["handler"]) =>
    doubling({
      output: z.looseObject({ status: z.string() }),
      handler,
      onFailure: (error) => ({ status: "rejected", message: error.message, error: error.report() }),
    });

  test.each([
    ...["success", "preview", "partial"].map((status) => ({ status, isError: false })),
    ...["rejected", "timeout", "not_connected", "no_entity", "not_cancellable", "error"].map((status) => (
      { status, isError: true }
    )),
  ])("is structured as ever with status $status, which is an error: $isError", async ({ status, isError }) => {
    const result = await answerOf(statusTool(() => Promise.resolve({ status })));
    expect([result?.isError ?? false, result?.structuredContent]).toEqual([isError, { status }]);
  });

  test("keeps its structure if it throws or its arguments are invalid", async () => {
    const tool = statusTool(() => Promise.reject(new ToolError("frozen", "Frozen.", "Thaw.")));
    const thrown = await answerOf(tool);
    expect(thrown?.structuredContent).toMatchObject({ status: "rejected", error: { code: "frozen" } });
    const misfit = await answerOf(tool, {});
    expect(misfit?.structuredContent).toMatchObject({ status: "rejected", error: { code: "invalid_input" } });
    expect(misfit?.isError).toBe(true);
  });
});

describe("what a tool requires", () => {
  const needing = (connection: "read" | "write", permissions: Tool["requires"] = {}) =>
    doubling({ requires: { ...permissions, connection } });
  const snapshot = { asOf: "2026-01-01T00:00:00.000Z" } as never;

  test.each(["read", "write"] as const)("a %s connection: not_connected before connect", async (connection) => {
    const error = { code: "not_connected", hint: expect.stringContaining(NEUTRAL_ADVICE.connectFirst) };
    expect(await refusalOf(needing(connection))).toMatchObject(error);
  });

  test("while the connection is being restored: reads are marked stale, writes are refused", async () => {
    const services = servicesWith({ pubsub: pubsubThatIs("reconnecting"), snapshot });
    const read = await answerOf(needing("read"), { value: 1 }, services);
    expect(read?.structuredContent).toEqual({ doubled: 2, stale: true, asOf: "2026-01-01T00:00:00.000Z" });
    expect((await refusalOf(needing("write"), { value: 1 }, services)).code).toBe("not_connected");
  });

  test("a fresh read is not marked", async () => {
    const services = servicesWith({ pubsub: pubsubThatIs("connected"), snapshot });
    const read = await answerOf(needing("read"), { value: 1 }, services);
    expect(read?.structuredContent).toEqual({ doubled: 2 });
  });

  test("a permission: forbidden, with the missing permission", async () => {
    const tool = needing("read", { permissions: ["Market.Operate"] });
    const without = servicesWith({ pubsub: pubsubThatIs("connected", ["Market.View"]) });
    expect(await refusalOf(tool, { value: 1 }, without))
      .toMatchObject({ code: "forbidden", message: expect.stringContaining("Market.Operate") });
    const holding = servicesWith({ pubsub: pubsubThatIs("connected", ["Market.Operate"]) });
    expect((await answerOf(tool, { value: 1 }, holding))?.isError)
      .toBeUndefined();
  });
});

describe("the catalogue", () => {
  test("refuses two tools with one name", () => {
    expect(() => new ToolCatalogue([doubling(), doubling()])).toThrow("one name");
  });

  test("without output schemas gives results their structure all the same", async () => {
    const catalogue = new ToolCatalogue([doubling()], { outputSchemas: false });
    const result = await resultOf(new Dispatcher(catalogue, servicesWith()).call("mkt_double", { value: 2 }, SCOPE));
    expect(result?.structuredContent).toEqual({ doubled: 4 });
  });
});
