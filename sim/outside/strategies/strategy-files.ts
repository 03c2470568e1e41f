// Strategies from files: --strategy FILE, and `"strategy": "./file.ts"` in an experiment, also for the compiled executable.
// A file's default export is a function (mkt) => declaration (docs/outside-agents.md).

// Gives the faults of schemas their words.
import "../../../common/schema-fault.ts";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import type { StrategyDeclaration, StrategyHost } from "../../../docs/examples/mkt-strategy.d.ts";
import { BUY, SELL } from "../../../protocol/sides.ts";
import { addStrategy } from "../../strategies/known-strategies.ts";
import { sidesOf, type StrategyEntry, TRADING_ROLES } from "../../strategies/registry.ts";
import type { Strategy, StrategySetup } from "../../strategies/strategy.ts";
import { GuardedStrategy, runGuarded } from "./guarded-strategy.ts";

interface LoadedStrategy {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  readonly entry: StrategyEntry;
}

type Make = (setup: StrategySetup, parameters: unknown) => Strategy;

const declaration = z.looseObject({
  name: z.string().regex(
    // The ids of agents begin with agent.
    /^(?!agent(-|$))[a-z][a-z0-9-]{0,31}$/,
    "must be lower case letters, digits and dashes, begin with a letter, and not be agent",
  ),
  sides: z.enum(["one", "both"]),
  role: z.enum(TRADING_ROLES).optional(),
  parameters: z.custom<z.ZodObject>((value) => value instanceof z.ZodObject, "must be an object schema of the given z")
    .refine((schema) => schema.safeParse({}).success, "every parameter needs a default").optional(),
  make: z.custom<Make>((value) => typeof value === "function", "must be a function"),
}).refine(({ sides, role }) => role === undefined || sidesOf(role) === sides, {
  path: ["role"],
  error: "a taker trades one side, a maker and a speculator both: change role or sides",
});

const strategy = z.looseObject({
  quote: z.custom((value) => typeof value === "function", "must be a function"),
  observe: z.custom((value) => typeof value === "function", "must be a function").optional(),
});

/**
 * What a strategy file gets as its argument. The file needs no installed package:
 *
 *   export default (mkt) => mkt.defineStrategy({ name: "hello", sides: "both", make: (setup) => ({ quote() {} }) })
 */
const strategyHost: StrategyHost = {
  // The declared result of an object's schema is simpler than zod's own, and equal for the schemas that are declared.
  z: { ...z, strictObject: z.strictObject as never },
  BUY,
  SELL,
  defineStrategy: <Parameters>(declaration: StrategyDeclaration<Parameters>) => declaration,
};

/** The names of the strategies that were added, by the absolute paths of their files. */
const names = new Map<string, string>();

/** Whether the name of a strategy in an experiment is the path of a file. */
export function isStrategyPath(text: string): boolean {
  return /[/\\]|\.(ts|js)$/.test(text);
}

/**
 * Adds the strategy of a file to those that personas may have. Throws an Error with a message of one line, without the path.
 */
export async function addStrategyFile(file: string): Promise<void> {
  const path = resolve(file);
  if (names.has(path)) return;
  const { name, entry } = await loadStrategyFile(path);
  addStrategy(name, entry);
  names.set(path, name);
}

/** The name of the strategy of a file that was added; undefined if it was not. */
export function strategyNameOf(path: string): string | undefined {
  return names.get(path);
}

/** The absolute path of the file of a strategy; undefined for a built-in one. */
export function strategyPathOf(name: string): string | undefined {
  return [...names].find(([, other]) => other === name)?.[0];
}

/** Every file that was added, with the digest of its text. */
export function addedStrategyFiles(): { readonly strategy: string; readonly file: string; readonly sha256: string }[] {
  return [...names].map(([path, strategy]) => {
    const sha256 = createHash("sha256").update(readFileSync(path)).digest("hex");
    return { strategy, file: basename(path), sha256 };
  });
}

/** Loads the file. Throws an Error with a message of one line, without the path. */
export async function loadStrategyFile(file: string): Promise<LoadedStrategy> {
  const path = resolve(file);
  if (!/\.(ts|js)$/.test(path) || path.endsWith(".d.ts")) throw new Error("is not a .ts or .js file");
  if (!existsSync(path)) throw new Error("can't be read: no such file");
  const module = await import(pathToFileURL(realpathSync(path)).href) as { default?: unknown };
  if (typeof module.default !== "function") {
    throw new Error("its default export is not a function (mkt) => mkt.defineStrategy({ ... })");
  }
  const checked = declaration.safeParse(module.default(strategyHost));
  if (!checked.success) throw new Error(faultsOf(checked.error));
  const { name, sides, parameters = z.strictObject({}), make } = checked.data;
  const { role = sides === "one" ? "taker" : "speculator" } = checked.data;
  return { name, path, entry: { role, sides, parameters, make: guardedMake(make, parameters.parse({})) } };
}

function guardedMake(make: Make, defaults: unknown): StrategyEntry["make"] {
  return (setup, parameters) =>
    new GuardedStrategy(runGuarded("make", () => {
      const made = make({ ...setup }, parameters ?? defaults);
      const checked = strategy.safeParse(made);
      if (!checked.success) throw new Error(`the strategy's ${faultsOf(checked.error)}`);
      return made;
    }));
}

function faultsOf({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => `${path.join(".") || "default export"}: ${message}`).join("; ");
}
