// A pack's own configuration variables: `mkt.variables({ ACME_LIMIT: mkt.z.coerce.number().default(5).describe("MW") })`
// gives their values, typed, from the environment. All faults are found in one pass.
//
// Invariant: the value of a variable that is marked with `mkt.secret(...)` is in no text of this file.

// Gives the faults of schemas their words.
import "../../common/schema-fault.ts";
import { z } from "zod";
import { redacted } from "../../common/redaction.ts";
import type { AnyEnvironment } from "../../common/environment.ts";
import { VARIABLES } from "../config/variables.ts";
import { mayBeAbsent } from "../tools/bare-schema.ts";

type Schemas = Readonly<Record<string, z.ZodType>>;
type Values<Shape extends Schemas> = { readonly [Name in keyof Shape]: z.output<Shape[Name]> };

export interface PackVariable {
  readonly name: string;
  readonly description: string;
  readonly secret: boolean;
  /** Whether the environment has it. An empty variable counts as not set. */
  readonly isSet: boolean;
  /** The text in the environment, or else the default as JSON; null if there is neither, and for a secret. */
  readonly shown: string | null;
}

const NAME = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/;
const NAME_RULE = "a name has upper case letters, digits and underscores, and begins with a prefix such as ACME_";
/** What mkt reads besides its configuration. */
const OTHER_VARIABLES = ["DOTENV_PATH", "NO_COLOR", "FORCE_COLOR"];

/** Read with `get`, which also knows schemas that were derived from a marked one, as by `describe`. */
const secretSchemas = z.registry<{ readonly secret: true }>();

/** Marks a schema: the variable's value is shown nowhere, and replaced in the logs. */
export function secret<Schema extends z.ZodType>(schema: Schema): Schema {
  // The type of a registry's method has no place for a generic schema.
  return (schema as z.ZodType).register(secretSchemas, { secret: true }) as Schema;
}

/** Reads the variables of one pack. */
export class PackVariables {
  readonly #environment: AnyEnvironment;
  #declared: readonly PackVariable[] | null = null;
  #secrets: readonly string[] = [];
  #faults: readonly string[] = [];

  constructor(environment: AnyEnvironment) {
    this.#environment = environment;
  }

  /** The values of the variables. Throws an Error with all faults, and on a second call. */
  readonly read = <Shape extends Schemas>(shape: Shape): Values<Shape> => {
    if (this.#declared !== null) throw new Error("mkt.variables may be called once: declare all variables in one call");
    const schemas = Object.entries(shape);
    const hidden = schemas.flatMap(([name, schema]) => this.#environment[name] && isSecret(schema) ? [name] : []);
    this.#secrets = hidden.map((name) => this.#environment[name]!);
    const results = schemas.map(([name, schema]) => ({ name, ...readVariable(name, schema, this.#environment[name]) }));
    this.#secrets = [...new Set([...this.#secrets, ...readTexts(results.filter(({ name }) => hidden.includes(name)))])];
    this.#faults = results.flatMap(({ name, fault }) => fault === undefined ? [] : [this.redacted(`${name} ${fault}`)]);
    this.#declared = schemas.map(([name, schema], index) =>
      describedVariable(name, schema, this.#environment[name], results[index]!.value)
    );
    this.check();
    return Object.freeze(Object.fromEntries(results.map(({ name, value }) => [name, value]))) as Values<Shape>;
  };

  /** Throws an Error with all faults. The loader checks again, because the pack may have caught the first error. */
  check(): void {
    if (this.#faults.length > 0) throw new Error(this.#faults.join("; "));
  }

  get declared(): readonly PackVariable[] {
    return this.#declared ?? [];
  }

  /** The values of secrets that are set: as they are set, and as the pack gets them. */
  get secrets(): readonly string[] {
    return this.#secrets;
  }

  /** The text without the values of secrets. */
  redacted(text: string): string {
    return redacted(text, this.#secrets);
  }
}

/** The values that are texts or lists of texts, such as a text without the spaces around it, or split at its commas. */
function readTexts(results: readonly { readonly value?: unknown }[]): string[] {
  return results.flatMap(({ value }) => value).filter((value): value is string =>
    typeof value === "string" && value !== ""
  );
}

function readVariable(name: string, schema: unknown, given: string | undefined): { value?: unknown; fault?: string } {
  const fault = declarationFault(name, schema);
  if (fault !== null) return { fault };
  const known = schema as z.ZodType;
  if (!given && !mayBeAbsent(known)) return { fault: `is required: ${known.description}` };
  const parsed = known.safeParse(given || undefined);
  if (parsed.success) return { value: parsed.data };
  return { fault: `is invalid: ${parsed.error.issues.map(({ message }) => message).join(", ")}` };
}

function declarationFault(name: string, schema: unknown): string | null {
  if (!NAME.test(name)) return `can't be a variable: ${NAME_RULE}`;
  if (/^(MKT|MCP)_/.test(name)) return "can't be a variable of a pack: MKT_ and MCP_ are for mkt";
  if ((VARIABLES as readonly string[]).includes(name) || OTHER_VARIABLES.includes(name)) {
    return "can't be a variable of a pack: it is one of mkt";
  }
  if (!(schema instanceof z.ZodType)) return "needs a schema of the given z";
  if (!schema.description) return 'needs a description: end its schema with .describe("...")';
  if (readsBoolean(schema)) {
    return 'needs mkt.z.stringbool() instead of a boolean, which the text "false" would make true';
  }
  return null;
}

function readsBoolean(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodBoolean) return true;
  const inner = schema instanceof z.ZodPipe ? schema.def.in : innerOf(schema);
  return inner !== undefined && readsBoolean(inner);
}

/** Whether the schema, or one that it is made of, is marked. */
function isSecret(schema: unknown): boolean {
  if (!(schema instanceof z.core.$ZodType)) return false;
  return secretSchemas.get(schema) !== undefined || Object.values(schema._zod.def).flat().some(isSecret);
}

/** The schema within `optional`, `default` and the like. */
function innerOf(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  return (schema._zod.def as { readonly innerType?: z.core.$ZodType }).innerType;
}

function describedVariable(name: string, schema: z.ZodType, given: string | undefined, value: unknown): PackVariable {
  const isHidden = isSecret(schema);
  return {
    name,
    description: (schema instanceof z.ZodType ? schema.description : undefined) ?? "",
    secret: isHidden,
    isSet: Boolean(given),
    shown: isHidden ? null : given || (JSON.stringify(value) ?? null),
  };
}
