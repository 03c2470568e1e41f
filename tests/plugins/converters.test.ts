// The tools as model providers get them: the converter in each provider's own SDK runs over every tool. Each tool must
// convert, and the result must keep the provider's documented rules. Each keyword that gets lost is named here, with the
// reason why the loss does no harm.

import { transformJSONSchema } from "@anthropic-ai/sdk/lib/transform-json-schema";
import { mcpTools } from "@anthropic-ai/sdk/helpers/beta/mcp";
import { GoogleGenAI, mcpToTool } from "@google/genai";
import { mcpToFunctionTool } from "@openai/agents-core";
import { describe, expect, test } from "bun:test";
import { ToolCatalogue } from "../../core/dispatch/catalogue.ts";
import { atEnd } from "../support/at-end.ts";
import { wholeInputSchema } from "../support/schema-inputs.ts";
import { TOOLS } from "./support/packs.ts";
import {
  ANTHROPIC,
  ANTHROPIC_STRICT,
  GEMINI,
  GEMINI_OPENAPI,
  losses,
  OPENAI_STRICT,
  partsOf,
  type Rules,
  type Schema,
  violations,
} from "./support/provider-rules.ts";

const { listed } = new ToolCatalogue(TOOLS);
const publishedInput = new Map(listed.map(({ name, inputSchema }) => [name, inputSchema as Schema]));

type Converted = readonly (readonly [name: string, schema: Schema])[];

function expectRules(rules: Rules, converted: Converted, count: number): void {
  expect(converted).toHaveLength(count);
  const broken = converted.map(([name, schema]) => [name, violations(rules, name, schema)] as const);
  expect(broken.filter(([, faults]) => faults.length > 0)).toEqual([]);
}

/** The places of each lost keyword. */
function lostKeywords(converted: Converted, before = publishedInput): Record<string, string[]> {
  const lost = converted.flatMap(([name, schema]) =>
    losses(before.get(name) ?? {}, schema).map(({ keyword, path }) => ({ keyword, place: `${name}${path}` }))
  );
  const byKeyword = Map.groupBy(lost, ({ keyword }) => keyword);
  return Object.fromEntries([...byKeyword].map(([keyword, all]) => [keyword, all.map(({ place }) => place)]));
}

/** Why a loss does no harm, and its places if it must have no others. */
type Reasons = Readonly<Record<string, string | { readonly at: readonly string[]; readonly why: string }>>;

/** Refuses a loss without a reason, and a reason without a loss. */
function expectLosses(lost: Record<string, string[]>, reasons: Reasons): void {
  expect(Object.keys(lost).sort()).toEqual(Object.keys(reasons).sort());
  for (const [keyword, reason] of Object.entries(reasons)) {
    if (typeof reason === "object") expect({ [keyword]: lost[keyword] }).toEqual({ [keyword]: [...reason.at] });
  }
}

const NOT_STRICT = ["mkt_find_modules"];

const FILTERS = ["mkt_find_modules.filters"];
const CURSORS = ["mkt_get_audit_log.cursor", "mkt_get_order_events.cursor"];
const SINCE = ["mkt_get_recent_events", ...["orders", "fills", "book", "market"].map((topic) => `mkt_watch_${topic}`)]
  .map((name) => `${name}.since`);

describe("the published input schemas", () => {
  test("leave out only keywords that some provider refuses or that say nothing", () => {
    const whole = new Map(TOOLS.map((tool) => [tool.name, wholeInputSchema(tool)]));
    expectLosses(lostKeywords([...publishedInput], whole), {
      $schema: "The dialect; MCP names it.",
      default: "OpenAI's and Azure's strict modes may refuse it. The description says the default.",
      maxLength: "Outside OpenAI's strict subset. Nobody reaches it by accident.",
      minLength: "Outside OpenAI's strict subset. An empty text is refused with a clear message.",
      maximum: { at: SINCE, why: "It is 2^53 - 1, which says nothing." },
      exclusiveMinimum: { at: ["mkt_create_test_order.quantity"], why: "Published as minimum; zod refuses 0." },
      pattern: { at: CURSORS, why: "A cursor is copied from an answer." },
      propertyNames: { at: FILTERS, why: "Unknown to all three providers; zod checks it." },
      maxProperties: { at: FILTERS, why: "Unknown to all three providers; zod checks it." },
      additionalProperties: { at: FILTERS, why: "A union of unions. The description shows the forms." },
    });
  });
});

describe("OpenAI", () => {
  const tools = listed.map((tool) => mcpToFunctionTool(tool as never, { name: "mkt" } as never, true));
  const strict = tools.filter((tool) => tool.strict);

  test("makes a strict function of every tool but mkt_find_modules, whose filters have names of their own", () => {
    expect(tools.filter((tool) => !tool.strict).map(({ name }) => name)).toEqual(NOT_STRICT);
    const converted = strict.map((tool) => [tool.name, tool.parameters as Schema] as const);
    expectRules(OPENAI_STRICT, converted, TOOLS.length - NOT_STRICT.length);
    for (const { name, description } of tools) {
      expect(description).toBe(listed.find((one) => one.name === name)?.description ?? "");
    }
    expect(tools.length).toBeLessThanOrEqual(128);
  });

  test("keeps every keyword", () => {
    expect(lostKeywords(strict.map((tool) => [tool.name, tool.parameters as Schema]))).toEqual({});
  });
});

describe("Gemini", () => {
  const client = {
    listTools: () => Promise.resolve({ tools: listed }),
    callTool: () => Promise.reject(new Error("not called")),
  };

  test("makes a function declaration of every tool, with its input and output schema", async () => {
    const { functionDeclarations = [] } = await mcpToTool(client as never).tool();
    const input = functionDeclarations.map(({ name, parametersJsonSchema }) =>
      [name ?? "", parametersJsonSchema as Schema] as const
    );
    expectRules(GEMINI, input, TOOLS.length);
    expect(lostKeywords(input)).toEqual({});
    const output = functionDeclarations.map(({ name, responseJsonSchema }) =>
      [name ?? "", responseJsonSchema as Schema] as const
    );
    expectRules(GEMINI, output, TOOLS.length);
  });

  test("in the older form, which clients make themselves, loses only that objects are closed", async () => {
    const sent = await sentToGemini(
      listed.map(({ name, inputSchema }) => ({ name, parameters: inputSchema as Schema })),
    );
    expectRules(GEMINI_OPENAPI, sent, TOOLS.length);
    expectLosses(lostKeywords(sent), {
      additionalProperties: "The form has no such keyword. An unknown parameter is refused by name.",
    });
  });
});

/** The function declarations that Google's SDK sends, from a request to a server of the test. */
async function sentToGemini(functionDeclarations: readonly { name: string; parameters: Schema }[]): Promise<Converted> {
  const bodies: { tools: { functionDeclarations: { name: string; parameters: Schema }[] }[] }[] = [];
  const endpoint = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      bodies.push(await request.json() as typeof bodies[number]);
      return Response.json({ candidates: [{ content: { role: "model", parts: [{ text: "done" }] } }] });
    },
  });
  atEnd(() => endpoint.stop(true));
  const gemini = new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl: endpoint.url.href } });
  const config = { tools: [{ functionDeclarations: structuredClone(functionDeclarations) as never }] };
  await gemini.models.generateContent({ model: "gemini-2.5-flash", contents: "hello", config });
  return bodies[0]?.tools[0]?.functionDeclarations.map(({ name, parameters }) => [name, parameters]) ?? [];
}

describe("Anthropic", () => {
  test("takes every tool as it is", () => {
    const tools = mcpTools(listed as never, {} as never);
    const converted = tools.map((tool) =>
      [tool.name, (tool as unknown as { input_schema: Schema }).input_schema] as const
    );
    const schemas = converted.map(([name, { required, ...schema }]) =>
      [name, required === null ? schema : { ...schema, required }] as const
    );
    expectRules(ANTHROPIC, schemas, TOOLS.length);
    expect(lostKeywords(schemas)).toEqual({});
  });

  test("in strict mode keeps bounds as words, and can't say what filters of mkt_find_modules may be named", () => {
    const strict = listed.map(({ name, inputSchema }) => [name, transformJSONSchema(inputSchema) as Schema] as const);
    expectRules(ANTHROPIC_STRICT, strict, TOOLS.length);
    expectLosses(lostKeywords(strict), {
      maximum: "Put into the description, and checked by zod.",
      maxItems: "Put into the description, and checked by zod.",
      minimum: "Put into the description, and checked by zod.",
      type: "Left out beside an enumeration, whose values have it.",
    });
    const closed = strict.filter(([name]) => !NOT_STRICT.includes(name)).filter(([, schema]) => hasEmptyObject(schema));
    expect(closed).toEqual([]);
  });
});

/** Whether some parameter is an object without declared properties, which strict mode would require to be empty. */
function hasEmptyObject(schema: Schema): boolean {
  const properties = Object.values((schema["properties"] ?? {}) as Record<string, Schema>);
  return [...properties, ...partsOf(schema)].some((part) =>
    part["type"] === "object" && Object.keys((part["properties"] ?? {}) as object).length === 0 || hasEmptyObject(part)
  );
}
