// What the providers' documentation says of tools, as far as code can check it.
//
// OpenAI: Structured Outputs, supported schemas; strict function tools. Gemini: FunctionDeclaration.parametersJsonSchema,
// and Schema for `parameters`. Anthropic: tool definitions, and structured outputs' JSON Schema limitations for `strict`.

export type Schema = Readonly<Record<string, unknown>>;

export interface Rules {
  readonly keywords: readonly string[];
  readonly toolName: RegExp;
  readonly parameterName: RegExp;
  /** Whether an object must list every property as required and allow no other. */
  readonly strict: boolean;
}

const SHARED = ["type", "description", "properties", "required", "items", "enum", "anyOf"];
const PLAIN_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

export const OPENAI_STRICT: Rules = {
  keywords: [
    ...SHARED,
    "additionalProperties",
    "minimum",
    "maximum",
    "multipleOf",
    "minItems",
    "maxItems",
    "$ref",
    "$defs",
  ],
  toolName: PLAIN_NAME,
  parameterName: PLAIN_NAME,
  strict: true,
};

/** Also for `responseJsonSchema`. */
export const GEMINI: Rules = {
  keywords: [
    ...[
      ...SHARED,
      "additionalProperties",
      "title",
      "format",
      "minimum",
      "maximum",
      "minItems",
      "maxItems",
      "prefixItems",
    ],
    ...["oneOf", "$id", "$defs", "$ref", "$anchor"],
  ],
  toolName: /^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/,
  parameterName: /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/,
  strict: false,
};

/** `parameters`, the older form, to which clients convert by themselves. */
export const GEMINI_OPENAPI: Rules = {
  ...GEMINI,
  keywords: [...SHARED, "title", "format", "nullable", "minimum", "maximum", "minItems", "maxItems", "default"],
};

export const ANTHROPIC: Rules = {
  keywords: [...SHARED, "additionalProperties", "format", "minimum", "maximum", "minItems", "maxItems"],
  toolName: PLAIN_NAME,
  parameterName: /^[a-zA-Z0-9_.-]{1,64}$/,
  strict: false,
};

export const ANTHROPIC_STRICT: Rules = {
  ...ANTHROPIC,
  keywords: [...SHARED, "additionalProperties", "format", "const", "minItems", "title", "$ref", "$defs"],
};

const MAX_DEPTH = 10;

/** What breaks the rules, each with its path. */
export function violations(rules: Rules, name: string, schema: Schema): string[] {
  return [
    ...(rules.toolName.test(name) ? [] : [`name ${name}`]),
    ...(schema["type"] === "object" || schema["type"] === "OBJECT" ? [] : ["the root is no object"]),
    ...["anyOf", "oneOf", "allOf"].filter((keyword) => keyword in schema).map((keyword) => `${keyword} at the root`),
    ...schemaViolations(rules, schema, "", 1),
  ];
}

function schemaViolations(rules: Rules, schema: Schema, path: string, depth: number): string[] {
  const unknown = Object.keys(schema).filter((keyword) => !rules.keywords.includes(keyword));
  const properties = Object.entries((schema["properties"] ?? {}) as Record<string, Schema>);
  return [
    ...unknown.map((keyword) => `${path}: ${keyword}`),
    ...(depth > MAX_DEPTH ? [`${path}: nested more than ${MAX_DEPTH} deep`] : []),
    ...(rules.strict && "properties" in schema ? closedFaults(schema, path) : []),
    ...properties.filter(([name]) => !rules.parameterName.test(name)).map(([name]) => `${path}.${name}: name`),
    ...properties.flatMap(([name, part]) => schemaViolations(rules, part, `${path}.${name}`, depth + 1)),
    ...partsOf(schema).flatMap((part) => schemaViolations(rules, part, `${path}[]`, depth + 1)),
  ];
}

function closedFaults(schema: Schema, path: string): string[] {
  const names = Object.keys(schema["properties"] as object).sort();
  const required = [...(schema["required"] ?? []) as string[]].sort();
  return [
    ...(schema["additionalProperties"] === false ? [] : [`${path}: open`]),
    ...(Bun.deepEquals(names, required) ? [] : [`${path}: not all required`]),
  ];
}

/** The schemas of a list's items and of the alternatives. */
export function partsOf(schema: Schema): Schema[] {
  const { items, anyOf } = schema as { items?: Schema; anyOf?: Schema[] };
  return [...(items === undefined ? [] : [items]), ...anyOf ?? []];
}

interface Loss {
  readonly keyword: string;
  readonly path: string;
}

/**
 * The keywords of `before` that `after` does not have at the same place with the same value. An optional parameter that has
 * become nullable counts as the same.
 */
export function losses(before: Schema, after: Schema | undefined, path = ""): Loss[] {
  const same = withoutNull(after);
  const lost = Object.keys(before).filter((keyword) => !STRUCTURE.includes(keyword)).filter((keyword) =>
    !isSame(before[keyword], same[keyword])
  );
  const properties = Object.entries((before["properties"] ?? {}) as Record<string, Schema>);
  const others = (same["properties"] ?? {}) as Record<string, Schema>;
  const items = before["items"] as Schema | undefined;
  return [
    ...lost.map((keyword) => ({ keyword, path })),
    ...properties.flatMap(([name, part]) => losses(part, others[name], `${path}.${name}`)),
    ...(items === undefined ? [] : losses(items, same["items"] as Schema | undefined, `${path}[]`)),
  ];
}

const STRUCTURE = ["properties", "items", "required", "anyOf"];

function isSame(before: unknown, after: unknown): boolean {
  if (typeof before === "string" && typeof after === "string") {
    return after.toLowerCase().startsWith(before.toLowerCase());
  }
  return Bun.deepEquals(before, after);
}

function withoutNull(schema: Schema = {}): Schema {
  const { anyOf, ...rest } = schema as { anyOf?: Schema[] };
  const [value, none] = anyOf ?? [];
  return anyOf?.length === 2 && none?.["type"] === "null" ? { ...rest, ...value } : schema;
}
