// Rules that every tool of every pack must follow.

import { describe, expect, test } from "bun:test";
import { checkNotFrozen } from "../../core/guardrails/call-checks.ts";
import { ToolCatalogue } from "../../core/dispatch/catalogue.ts";
import type { PubSub } from "../../core/backend/pubsub.ts";
import type { ToolContext } from "../../core/tools/context.ts";
import { pubsubThatIs, servicesWith } from "../core/support/services.ts";
import type { Tool } from "../../core/tools/tool.ts";
import { wholeInputSchema } from "../support/schema-inputs.ts";
import { listedTool } from "./support/listed-tool.ts";
import { PACKS, TOOLS } from "./support/packs.ts";

type Json = Readonly<Record<string, unknown>>;

test("names of tools and packs are unique", () => {
  const names = TOOLS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(PACKS.map(({ name }) => name)).size).toBe(PACKS.length);
});

/** Tools that only make a market safer, or connect. */
const WORK_WHILE_FROZEN = [
  "mkt_cancel_order",
  "mkt_connect_pubsub",
  "mkt_disconnect_pubsub",
  "mkt_halt_market",
  "mkt_sim_stop",
];

test("the kill switch lets through only reads and the tools that make a market safer", () => {
  const refused = TOOLS.filter((tool) => isRefused(tool)).map(({ name }) => name);
  const changing = TOOLS.filter(({ annotations }) => !annotations.readOnlyHint).map(({ name }) => name);
  expect(refused.length).toBeGreaterThan(5);
  expect(refused).toEqual(changing.filter((name) => !WORK_WHILE_FROZEN.includes(name)));
});

test("read-only mode offers no mutation but connecting and disconnecting", () => {
  const left = TOOLS.filter(({ allowedInReadOnly }) => allowedInReadOnly).map(({ name }) => name);
  expect(left).toEqual(["mkt_connect_pubsub", "mkt_disconnect_pubsub"]);
});

describe("a browser session that only views", () => {
  const allowed = TOOLS.filter(({ allowedForViewers }) => allowedForViewers !== undefined);
  const connected = pubsubThatIs("disconnected");
  const onceDisconnected = { ...connected, disconnects: 1 };

  test.each<[what: string, input: Record<string, unknown>, pubsub: PubSub, isAllowed: boolean]>([
    ["connects a server that nobody has disconnected", {}, connected, true],
    ["can't choose the acting user", { userId: "user-2" }, connected, false],
    ["can't connect a server that somebody has disconnected", {}, onceDisconnected, false],
  ])("%s", (_, input, pubsub, isAllowed) => {
    expect(allowed.map(({ name }) => name)).toEqual(["mkt_connect_pubsub"]);
    const context = servicesWith({ pubsub }) as unknown as ToolContext;
    expect(allowed[0]?.allowedForViewers?.(input, context)).toBe(isAllowed);
  });
});

function isRefused(tool: Tool): boolean {
  try {
    checkNotFrozen(tool, () => ({ reason: null, since: null }));
    return false;
  } catch (error) {
    expect(error).toMatchObject({ code: "frozen" });
    return true;
  }
}

describe.each(TOOLS.map((tool) => [tool.name, tool] as const))("%s", (name, tool) => {
  const { inputSchema, outputSchema } = listedTool(tool);

  test("has a name, a title and a short description", () => {
    expect(name).toMatch(/^mkt_[a-z]+(_[a-z]+)*$/);
    expect(tool.title).toMatch(/^[A-Z][^.]{3,39}$/);
    expect(tool.description.length).toBeGreaterThan(60);
    expect(tool.description.length).toBeLessThan(420);
    expect(tool.description).toMatch(/\.$/);
  });

  test("says in its description whether it needs a connection", () => {
    const needsOne = tool.requires?.connection !== undefined;
    expect(tool.description.includes("Needs mkt_connect_pubsub")).toBe(needsOne);
  });

  test("declares all four annotations without contradiction", () => {
    const { annotations } = tool;
    expect(Object.keys(annotations).sort()).toEqual(
      ["destructiveHint", "idempotentHint", "openWorldHint", "readOnlyHint"],
    );
    if (annotations.readOnlyHint) expect(annotations).toMatchObject({ destructiveHint: false, idempotentHint: true });
  });

  test("keeps its shape on failure if it is a mutation", () => {
    expect(tool.onFailure !== undefined).toBe(!tool.annotations.readOnlyHint);
  });

  test("refuses unknown parameters, and allows further fields in its result", () => {
    expect(inputSchema["additionalProperties"]).toBe(false);
    expect(outputSchema?.["additionalProperties"]).not.toBe(false);
    expect(tool.input.safeParse({ noSuchParameter: 1 }).success).toBe(false);
  });

  test("describes every parameter", () => {
    expect(undescribed(inputSchema)).toEqual([]);
  });

  test("bounds every parameter at every depth: text in length, numbers in range, lists in size", () => {
    expect(unbounded(wholeInputSchema(tool))).toEqual([]);
  });
});

/** Each rule below is checked for the tools to which it applies. */
const named = (tools: readonly Tool[]) => tools.map((tool) => [tool.name, tool] as const);
const NEED_PERMISSIONS = TOOLS.filter(({ requires }) => (requires?.permissions ?? []).length > 0);
const NEED_CONNECTION = TOOLS.filter(({ requires }) => requires?.connection !== undefined);
const TAKE_NUMBERS = TOOLS.filter((tool) => numbersOf(tool).length > 0);

test("some tools, and not all, need permissions, need a connection, take numbers", () => {
  for (const tools of [NEED_PERMISSIONS, NEED_CONNECTION, TAKE_NUMBERS]) {
    expect(tools.length).toBeWithin(5, TOOLS.length);
  }
});

test.each(named(NEED_PERMISSIONS))("%s names every permission that it checks in its description", (_name, tool) => {
  const permissions = tool.requires?.permissions ?? [];
  expect(permissions.filter((permission) => !tool.description.includes(permission))).toEqual([]);
});

test.each(named(NEED_CONNECTION))(
  "%s requires a connection to read if it only reads, and to write otherwise",
  (_name, tool) => {
    expect(tool.requires?.connection).toBe(tool.annotations.readOnlyHint ? "read" : "write");
  },
);

test.each(named(TAKE_NUMBERS))("%s refuses numbers that are not finite", (_name, tool) => {
  for (const key of numbersOf(tool)) {
    for (const value of [NaN, Infinity, -Infinity]) {
      const { error } = tool.input.safeParse({ [key]: value });
      expect(error?.issues.map(({ path }) => path[0])).toContain(key);
    }
  }
});

/** Bytes that a model reads before it calls anything: clients put names, descriptions and schemas into its prompt. */
const BUDGETS = { input: 28_000, output: 30_000 };

test("names, descriptions and schemas of all tools keep their budgets", () => {
  const { listed } = new ToolCatalogue(TOOLS);
  const bytesOf = (values: readonly unknown[]) =>
    values.reduce((sum: number, value) => sum + Buffer.byteLength(JSON.stringify(value)), 0);
  expect(bytesOf(listed.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))))
    .toBeLessThanOrEqual(BUDGETS.input);
  expect(bytesOf(listed.map(({ outputSchema }) => outputSchema))).toBeLessThanOrEqual(BUDGETS.output);
});

test("texts name only tools that exist", () => {
  const texts = TOOLS.map((tool) => {
    const { inputSchema, outputSchema } = listedTool(tool);
    return JSON.stringify([tool.description, inputSchema, outputSchema]);
  });
  const mentioned = new Set([...texts.join("\n").matchAll(/mkt_[a-z_]*[a-z]/g)].map(([name]) => name));
  expect(mentioned.size).toBeGreaterThan(5);
  expect([...mentioned.difference(new Set(TOOLS.map(({ name }) => name)))]).toEqual([]);
});

function propertiesOf(schema: Json): [string, Json][] {
  return Object.entries((schema["properties"] ?? {}) as Record<string, Json>);
}

/** Paths of properties without a description, at any depth. */
function undescribed(schema: Json, path = ""): string[] {
  const own = propertiesOf(schema).flatMap(([name, property]) => [
    ...(typeof property["description"] === "string" ? [] : [`${path}${name}`]),
    ...undescribed(property, `${path}${name}.`),
  ]);
  const inner = [schema["items"], ...(schema["anyOf"] as Json[] | undefined ?? [])];
  return [...own, ...inner.flatMap((part) => part === undefined ? [] : undescribed(part as Json, path))];
}

/** Paths of parameters, at any depth, without a bound on length, size or range. */
function unbounded(schema: Json, path = "arguments"): string[] {
  if (schema["enum"] !== undefined || schema["const"] !== undefined) return [];
  if (schema["anyOf"] !== undefined) return (schema["anyOf"] as Json[]).flatMap((part) => unbounded(part, path));
  const bounded = (isSo: boolean) => isSo ? [] : [`${path}: ${JSON.stringify(schema)}`];
  switch (schema["type"]) {
    case "boolean":
    case "null":
      return [];
    case "string":
      return bounded(isAtMost(schema["maxLength"], 2000) || schema["format"] === "date");
    case "integer":
    case "number":
      return bounded(
        isAtMost(schema["maximum"], Number.MAX_SAFE_INTEGER) &&
          (isAtMost(schema["minimum"], Infinity) || isAtMost(schema["exclusiveMinimum"], Infinity)),
      );
    case "array":
      return [...bounded(isAtMost(schema["maxItems"], 1000)), ...unbounded(schema["items"] as Json, `${path}[]`)];
    case "object":
      return [
        ...propertiesOf(schema).flatMap(([name, property]) => unbounded(property, `${path}.${name}`)),
        ...(schema["additionalProperties"] === false ? [] : unboundedEntries(schema, path)),
      ];
    default:
      return bounded(false);
  }
}

/** The same for an object without fixed properties. */
function unboundedEntries(schema: Json, path: string): string[] {
  const name = schema["propertyNames"] as Json | undefined;
  return [
    ...(name === undefined ? [`${path}: any name`] : unbounded(name, `${path}: name`)),
    ...unbounded(schema["additionalProperties"] as Json ?? {}, `${path}.*`),
  ];
}

function isAtMost(limit: unknown, most: number): boolean {
  return typeof limit === "number" && limit <= most;
}

function numbersOf(tool: Tool): string[] {
  const isNumber = ([, { type }]: [string, Json]) => type === "number" || type === "integer";
  return propertiesOf(listedTool(tool).inputSchema).filter(isNumber).map(([name]) => name);
}
