// JSON Schemas in words, for reference pages: type, range, length, default and choices of each field.
//
// Limits: what schemas of tools use. A field of another kind is called ANY.

export type JsonSchema = Readonly<Record<string, unknown>>;

const ANY = "any value";
/** Fields of an object inside a line; the rest are counted. */
const MOST_INNER_FIELDS = 12;
/** Bounds that stand for "no bound". */
const UNBOUNDED = Number.MAX_SAFE_INTEGER;

/** A list item for each property of an object's schema, and below it for each property inside. */
export function fieldLines(schema: JsonSchema, indent = ""): string[] {
  const required = new Set(schema["required"] as readonly string[] | undefined);
  return propertiesOf(schema).flatMap(([name, field]) => {
    const facts = [words(field), required.has(name) ? "required" : null, defaultOf(field)];
    const description = descriptionOf(field);
    const line = `${indent}- \`${name}\` (${facts.filter((fact) => fact !== null).join("; ")})`;
    const inside = (field["items"] ?? field) as JsonSchema;
    return [line + (description && `: ${description}`), ...fieldLines(inside, `${indent}  `)];
  });
}

/** Each property of an object's schema in a few words: its type, unless that is plain text, and its description. */
export function fieldNames(schema: JsonSchema, hidden: ReadonlySet<string>): string[] {
  return propertiesOf(schema).filter(([name]) => !hidden.has(name)).map(([name, field]) => {
    const type = words(field);
    const facts = [type === "text" || type === ANY ? "" : type, descriptionOf(field)].filter((fact) => fact !== "");
    return facts.length === 0 ? `\`${name}\`` : `\`${name}\` (${facts.join("; ")})`;
  });
}

/** Without what Markdown would take as markup. */
export function markdownText(text: string): string {
  return text.replace(/[<>*]/g, (character) => `\\${character}`);
}

function words(schema: JsonSchema): string {
  const { type, enum: choices, items, anyOf } = schema as Readonly<Record<string, unknown[]>>;
  if (choices !== undefined) return choices.map((choice) => `\`${String(choice)}\``).join(", ");
  if (schema["const"] !== undefined) return `\`${String(schema["const"])}\``;
  const types = (Array.isArray(type) ? type : [type]) as (string | undefined)[];
  if (types.includes("null")) {
    const [other] = types.filter((each) => each !== "null");
    const kind = words({ ...schema, type: other });
    return kind.includes(" with ") ? `null or ${kind}` : `${kind} or null`;
  }
  switch (types[0]) {
    case "string":
      return text(schema);
    case "integer":
      return `whole number${range(schema)}`;
    case "number":
      return `number${range(schema)}`;
    case "boolean":
      return "true or false";
    case "array":
      return `list of ${count(schema)}${
        items === undefined ? "values" : plural(inner(items as unknown as JsonSchema))
      }`;
    case "object":
      return inner(schema);
    default:
      return anyOf === undefined ? ANY : anyOf.map((each) => words(each as JsonSchema)).join(" or ");
  }
}

/** An object with the names of its fields, or the items of a list. */
function inner(schema: JsonSchema): string {
  const names = propertiesOf(schema).map(([name]) => `\`${name}\``);
  if (names.length === 0) return schema["type"] === "object" ? "object" : words(schema);
  const shown = names.slice(0, MOST_INNER_FIELDS).join(", ");
  return `object with ${shown}${
    names.length > MOST_INNER_FIELDS ? ` and ${names.length - MOST_INNER_FIELDS} more` : ""
  }`;
}

function text({ minLength, maxLength, format }: JsonSchema): string {
  if (format === "date-time") return "ISO time";
  if (maxLength === undefined) return "text";
  return `text of ${minLength === undefined ? "at most" : `${minLength} to`} ${figure(maxLength)} characters`;
}

function range(schema: JsonSchema): string {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema as Readonly<Record<string, number>>;
  const from = minimum === undefined || minimum <= -UNBOUNDED ? undefined : minimum;
  const to = maximum === undefined || maximum >= UNBOUNDED ? undefined : maximum;
  if (from !== undefined && to !== undefined) return `, ${figure(from)} to ${figure(to)}`;
  const least = from === undefined
    ? exclusiveMinimum === undefined ? "" : `above ${figure(exclusiveMinimum)}`
    : `from ${figure(from)}`;
  const most = to === undefined
    ? exclusiveMaximum === undefined ? "" : `below ${figure(exclusiveMaximum)}`
    : `at most ${figure(to)}`;
  return [least, most].filter((bound) => bound !== "").map((bound) => `, ${bound}`).join("");
}

function count({ minItems, maxItems }: JsonSchema): string {
  if (maxItems === undefined) return "";
  return minItems === undefined ? `at most ${figure(maxItems)} ` : `${minItems} to ${figure(maxItems)} `;
}

function plural(kind: string): string {
  if (kind === ANY) return "values";
  return kind.startsWith("`") ? `of ${kind}` : kind.replace(/^(object|text|whole number|number)/, "$1s");
}

/** Without the default, which the line names already. */
function descriptionOf(schema: JsonSchema): string {
  const description = String(schema["description"] ?? "");
  const written = `${String(schema["default"])} if absent`;
  const rest = description.endsWith(written) ? description.slice(0, -written.length).replace(/; $/, "") : description;
  return markdownText(rest);
}

function defaultOf(schema: JsonSchema): string | null {
  return schema["default"] === undefined ? null : `default ${JSON.stringify(schema["default"])}`;
}

function figure(value: unknown): string {
  return Number(value).toLocaleString("en-US");
}

function propertiesOf(schema: JsonSchema): [string, JsonSchema][] {
  return Object.entries((schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>);
}
