// A pack with what the built-in packs do not have: resources, a prompt, a route, results that are no single JSON value,
// values that JSON writes in an unusual way, handlers that fail, report progress, ask their client or log to it, and an
// argument that clients repeat in a header.

import { z } from "zod";
import { ToolError } from "../../../../core/error.ts";
import { definePrompt } from "../../../../core/prompts/prompt.ts";
import { defineResource } from "../../../../core/resources/resource.ts";
import { definePack } from "../../../../core/packs/pack.ts";
import { InputRequired } from "../../../../core/tools/client.ts";
import { RawResult, type Tool } from "../../../../core/tools/tool.ts";
import { failing, testRoute, testTool } from "../../support/declarations.ts";

const INPUT = z.strictObject({ text: z.string().max(50).optional(), limit: z.int().min(1).max(9).optional() });

function probe(name: string, handler: Tool["handler"], further: Partial<Tool> = {}): Tool {
  return testTool(`probe_${name}`, handler, { input: INPUT, ...further });
}

const INSIDE = failing(new Error("inside"));

const UNUSUAL: Record<string, unknown> = {
  7: "an index",
  2: "an earlier index",
  absent: undefined,
  list: [undefined, () => 1, Symbol("s"), -0, NaN, 1e21, 1e-7, 2 ** 53],
  date: new Date(0),
  own: { toJSON: () => ({ made: "by toJSON" }) },
  text: 'half \ud800, line \u2028, bell \u0007, quote " \\ / </script> \u202e \u{e0041}',
  "\u202ename": 1,
  "": "an empty name",
  big: { nested: [[[[{ a: { b: [] } }]]]] },
};

const ROOTS = { roots: { method: "roots/list" } } as const;

const tools: readonly Tool[] = [
  probe("unusual", () => UNUSUAL),
  probe("empty", () => ({})),
  probe("no_json", () => ({ big: 1n })),
  probe("cyclic", () => {
    const value: Record<string, unknown> = {};
    value["self"] = value;
    return value;
  }),
  probe("getter", () => ({
    get text(): string {
      return INSIDE();
    },
  })),
  probe("nothing", () => undefined as unknown as Record<string, unknown>),
  probe("list", () => [1, 2] as unknown as Record<string, unknown>),
  probe("echo", (input) => ({ ...input })),
  probe("long", () => ({ text: '\u00e9"\n'.repeat(20_000) })),
  probe("error", INSIDE),
  probe("thrown", failing("a text")),
  probe("tool_error", failing(new ToolError("not_found", "There is no \u202esuch \ud800 thing.", "Look elsewhere."))),
  probe("protocol_error", failing(Object.assign(new Error("with a code"), { code: -32001, data: { a: 1 } }))),
  probe("status", () => ({ status: "success", message: "done" }), {
    onFailure: (error, input) => ({ status: "error", message: error.message, given: Object.keys(input) }),
  }),
  probe("broken_failure", () => ({ status: "success" }), { onFailure: INSIDE }),
  probe("failed_status", () => ({ status: "rejected", message: "no" }), { onFailure: () => ({ status: "error" }) }),
  probe("raw", () =>
    new RawResult({
      content: [
        { type: "text", text: "one\ntwo\u0000" },
        { type: "image", data: "AAAA", mimeType: "image/png" },
      ],
    })),
  probe("raw_error", () => new RawResult({ content: [], isError: true })),
  probe(
    "raw_structured",
    () =>
      new RawResult({ content: [{ type: "text", text: "t" }], structuredContent: { "\u202e": 1 }, _meta: { a: 1 } }),
  ),
  probe("progress", async (_input, { progress }) => {
    await progress({ done: 1, total: 2, message: "half" });
    return { done: true };
  }),
  probe("asks", ({ text }, { client }) => {
    if (client.responses["roots"] !== undefined) return { answered: true };
    return text === "no" ? { capabilities: client.capabilities } : new InputRequired({ requests: ROOTS });
  }, { usesClient: true }),
  probe("logs", async (_input, { client }) => {
    await client.log("error", "a line");
    await client.log("error", { big: 1n });
    return { logged: true };
  }, { usesClient: true }),
  probe("asks_undeclared", () => new InputRequired({ requests: ROOTS })),
  probe("header", (input) => ({ ...input }), {
    input: z.strictObject({ text: z.string().max(50).optional().meta({ "x-mcp-header": "Text" }) }),
  }),
  probe("later", async () => {
    await Promise.resolve();
    return { later: true };
  }),
];

export const PROBE_PACK = definePack({
  name: "probe",
  description: "Probes",
  tools,
  resources: [
    defineResource({
      name: "text",
      uri: "probe://text",
      title: "t",
      description: "d",
      mimeType: "text/plain",
      read: () => "the text",
    }),
    defineResource({ name: "broken", uri: "probe://broken", title: "b", description: "d", read: INSIDE }),
  ],
  prompts: [definePrompt({ name: "probe", title: "p", description: "d", messages: () => "the prompt" })],
  routes: [testRoute("/probe", () => Response.json({ probe: true }))],
});
