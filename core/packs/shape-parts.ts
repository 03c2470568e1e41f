// Parts of the schemas that check what an external pack declares (pack-shape.ts, route-shape.ts).

import { z } from "zod";
import { PERMISSIONS } from "../../protocol/permissions.ts";
import { didYouMean } from "../../common/command-line.ts";
import type { Requirements } from "../tools/tool.ts";

/** A schema for each property of a declaration, so the compiler finds a property that has none. */
export type SchemasOf<Declaration, Without extends string = never> = {
  readonly [Name in Exclude<keyof Declaration, Without>]-?: z.ZodType;
};

/** An object with these properties only. `refused`: why well-known others may not be there. */
export function only<Shape extends z.ZodRawShape>(
  what: string,
  shape: Shape,
  refused: Readonly<Record<string, string>> = {},
) {
  const names = Object.keys(shape);
  const never = Object.entries(refused).map(([name, reason]) => [name, z.never(reason).optional()]);
  return z.strictObject({ ...shape, ...Object.fromEntries(never) as Record<never, never> }, {
    error: (issue) => {
      if (issue.code !== "unrecognized_keys") return undefined;
      return issue.keys.map((key) => `${key} is not a property of ${what}${didYouMean(key, names)}`).join(", ");
    },
  });
}

export function named(pattern: RegExp, rule: string) {
  return z.string().regex(pattern, `must be ${rule}`);
}

export const text = z.string().min(1);
export const callable = z.custom((value) => typeof value === "function", "must be a function");

export const requires = only(
  "requires",
  {
    connection: z.enum(["session", "read", "write"]).optional(),
    permissions: z.array(z.enum(PERMISSIONS, {
      error: ({ input }) => `must be one of ${PERMISSIONS.join(", ")}${didYouMean(String(input), PERMISSIONS)}`,
    })).optional(),
    withoutPermission: text.optional(),
  } satisfies SchemasOf<Requirements>,
).optional();
