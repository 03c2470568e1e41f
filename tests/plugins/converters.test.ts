// The tools as model providers get them: the converter that each provider publishes in its own SDK runs over every tool. Each
// must convert, the outcome must keep the provider's documented rules, and what gets lost is named here with the reason why
// it does no harm. A call that a model makes under a strict schema, with null for every optional parameter, must work.

import { transformJSONSchema } from "@anthropic-ai/sdk/lib/transform-json-schema";
import { mcpTools } from "@anthropic-ai/sdk/helpers/beta/mcp";
import { GoogleGenAI, mcpToTool } from "@google/genai";
import { mcpToFunctionTool, RunContext, setTracingDisabled } from "@openai/agents-core";
import { beforeAll, describe, expect, test } from "bun:test";
import { ToolCatalogue } from "../../core/dispatch/catalogue.ts";
import { atEnd } from "../support/at-end.ts";
import { wholeInputSchema } from "../support/schema-inputs.ts";
import { Desk, type Seat } from "./support/desk.ts";
import { BASE, SECRET } from "./support/market.ts";
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
import { ScriptedSimulator } from "./support/scripted-simulator.ts";

const { listed } = new ToolCatalogue(TOOLS);
const publishedInput = new Map(listed.map(({ name, inputSchema }) => [name, inputSchema as Schema]));

type Converted = readonly (readonly [name: string, schema: Schema])[];

function expectRules(rules: Rules, converted: Converted, count: number): void {
  expect(converted).toHaveLength(count);
  const broken = converted.map(([name, schema]) => [name, violations(rules, name, schema)] as const);
  expect(broken.filter(([, faults]) => faults.length > 0)).toEqual([]);
}

/** Each lost keyword, with the tools that lose it. */
function lostKeywords(converted: Converted, before = publishedInput): Record<string, number> {
  const lost = converted.flatMap(([name, schema]) => [
    ...new Set(losses(before.get(name) ?? {}, schema).map((loss) => loss.slice(loss.lastIndexOf(" ") + 1))),
  ]);
  return Object.fromEntries(
    [...Map.groupBy(lost, (keyword) => keyword)].map(([keyword, all]) => [keyword, all.length]),
  );
}

/** Refuses a loss without a reason, and a reason without a loss. */
function expectLosses(lost: Record<string, number>, reasons: Record<string, string>): void {
  expect(Object.keys(lost).sort()).toEqual(Object.keys(reasons).sort());
}

const NOT_STRICT = ["mkt_find_modules"];

describe("the published input schemas", () => {
  test("leave out, of what zod checks, only what some provider refuses", () => {
    const whole = new Map(TOOLS.map((tool) => [tool.name, wholeInputSchema(tool)]));
    expectLosses(lostKeywords([...publishedInput], whole), {
      $schema: "The dialect; MCP names it.",
      default: "OpenAI's and Azure's strict modes may refuse it. The description says the default.",
      exclusiveMinimum: "Gemini does not know it. Published as minimum; zod refuses the bound itself.",
      maximum: "Only 2^53 - 1, which says nothing; every other maximum is published.",
      maxLength: "Outside OpenAI's strict subset. Nobody reaches it by accident.",
      minLength: "Outside OpenAI's strict subset. An empty text is refused with a clear message.",
      pattern: "Belongs to a format.",
      propertyNames: "Unknown to all three; of the filters of mkt_find_modules.",
      maxProperties: "Unknown to all three; of the filters of mkt_find_modules.",
      additionalProperties: "The values of filters: a union of nested unions. The description shows the forms.",
    });
  });
});

describe("OpenAI", () => {
  /** The last call that the SDK made. */
  let answered: { name: string; value: Schema } = { name: "none", value: {} };
  const server = {
    name: "mkt",
    cacheToolsList: false,
    connect: () => Promise.resolve(),
    close: () => Promise.resolve(),
    listTools: () => Promise.resolve([]),
    invalidateToolsCache: () => Promise.resolve(),
    callTool: async (name: string, input: Record<string, unknown> | null) => {
      const { value } = await seat.call(name, input ?? {});
      answered = { name, value };
      return [{ type: "text", text: JSON.stringify(value) }];
    },
  };
  const tools = listed.map((tool) => mcpToFunctionTool(tool as never, server as never, true));
  const strict = tools.filter((tool) => tool.strict);
  setTracingDisabled(true);

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

  test.each(strict.map((tool) => [tool.name, tool] as const))(
    "%s takes a call with null for every optional parameter",
    async (name, tool) => {
      const input = strictCall(tool.parameters as Schema);
      const direct = await seat.call(name, input);
      expect({ name, input, code: codeOf(direct.value) }).not.toMatchObject({ code: "invalid_input" });
      await tool.invoke(new RunContext(), JSON.stringify(input));
      expect({ name, answered }).toMatchObject({ name, answered: { name } });
      expect(codeOf(answered.value)).not.toBe("invalid_input");
    },
  );
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

/** Whether some parameter is an object that may have no property. */
function hasEmptyObject(schema: Schema): boolean {
  const properties = Object.values((schema["properties"] ?? {}) as Record<string, Schema>);
  return [...properties, ...partsOf(schema)].some((part) =>
    part["type"] === "object" && Object.keys((part["properties"] ?? {}) as object).length === 0 || hasEmptyObject(part)
  );
}

let seat: Seat;

beforeAll(async () => {
  const environment = { STRESS_TEST_SECRET: SECRET, MKT_SIM_URL: new ScriptedSimulator().url };
  seat = await Desk.open().connected("olga", environment);
});

/** Values of required parameters; the market refuses some of them, but none is invalid. */
const VALUES: Readonly<Record<string, unknown>> = {
  contractId: BASE,
  side: "BUY",
  price: 100,
  quantity: 1,
  entityId: "alpha",
  counterpartyId: "beta",
  limit: 5,
  creditLimit: 5,
  type: "heat_wave",
};

/** A call as a model must make it: every parameter present, null for those that are optional. */
function strictCall(schema: Schema): Record<string, unknown> {
  const properties = Object.entries(schema["properties"] as Record<string, Schema>);
  return Object.fromEntries(
    properties.map(([name, part]) => {
      const optional = partsOf(part).some(({ type }) => type === "null");
      return [name, optional ? null : VALUES[name] ?? (part["enum"] as unknown[] | undefined)?.[0] ?? "none"];
    }),
  );
}

function codeOf(value: Schema): unknown {
  return (value["error"] as Schema | undefined)?.["code"] ?? "ok";
}
