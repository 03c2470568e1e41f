// Parses the payloads of requests. A test that is compiled from the action's schema accepts most of them as they are, in a
// twentieth of zod's time. zod parses the others and finds their faults, in the words of common/schema-fault.ts. They don't
// show the values, since a payload may hold a secret.
//
// Invariant: what the test accepts is what zod gives back (protocol/checkers/compiled-test.ts). Absent fields that have a
// default are filled in before the test.

import { z } from "zod";
import "../../common/schema-fault.ts";
import { requiredTest, type Test } from "../../protocol/checkers/compiled-test.ts";
import { type Action, type ActionPayload, ACTIONS } from "../../protocol/index.ts";
import { isObject } from "../../protocol/json.ts";
import { rejected, type Rejection } from "../api/outcome.ts";

interface Quick {
  readonly test: Test;
  readonly defaults: Readonly<Record<string, unknown>>;
}

/** By action, once it is used: compiling them all takes a quarter of the start of an engine. */
const QUICK: Partial<Record<Action, Quick>> = {};

/** The payload with its defaults; a rejection if it does not fit its schema. */
export function parsePayload<Name extends Action>(name: Name, value: unknown): ActionPayload<Name> | Rejection {
  const { test, defaults } = QUICK[name] ??= quickOf(ACTIONS[name].payload);
  if (test(value)) return value as ActionPayload<Name>;
  // A copy keeps an unknown property, so the test refuses it too.
  if (isObject(value)) {
    const filled: unknown = { ...defaults, ...value };
    if (test(filled)) return filled as ActionPayload<Name>;
  }
  const parsed = ACTIONS[name].payload.safeParse(value);
  if (parsed.success) return parsed.data as ActionPayload<Name>;
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "payload"}: ${message}`);
  return rejected("invalid_payload", faults.join("; "));
}

/** Throws if the schema has a form that is not compiled. */
function quickOf(schema: z.ZodObject): Quick {
  const defaults: Record<string, unknown> = {};
  const shape: Record<string, z.core.$ZodType> = {};
  for (const [name, property] of Object.entries(schema.shape)) {
    if (property instanceof z.ZodDefault) defaults[name] = property.def.defaultValue;
    shape[name] = property instanceof z.ZodDefault ? property.def.innerType : property;
  }
  return { test: requiredTest(z.object(shape)), defaults };
}
