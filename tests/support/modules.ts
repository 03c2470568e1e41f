// Modules as a backend may send them, for engines and markets that a test scripts.

import { moduleDeclaration, type ModuleType } from "../../protocol/modules/registry.ts";

const PLAIN_VALUES = {
  string: "x",
  number: 0,
  boolean: false,
  time: "2030-06-01T12:00:00.000Z",
  array: [],
  object: {},
} as const;

/** Data that fits the module's declaration, with the given fields. */
export function wholeModule(type: ModuleType, data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const properties = Object.entries(moduleDeclaration(type).properties).map(([name, { type, values, nullable }]) =>
    [name, nullable ? null : values?.[0] ?? PLAIN_VALUES[type]] as const
  );
  return { ...Object.fromEntries(properties), ...data };
}
