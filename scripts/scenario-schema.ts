// Writes docs/scenario.schema.json, the JSON Schema of the arena's scenarios, from the declaration in
// arena/scenario/scenario.ts. A test fails if the file is not current.
//
//   bun scripts/scenario-schema.ts

import { z } from "zod";
import { scenario } from "../arena/scenario/scenario.ts";

export const SCENARIO_SCHEMA_FILE = new URL("../docs/scenario.schema.json", import.meta.url);

export function scenarioSchema(): string {
  // As input: fields with a default may be absent.
  const { $schema, ...schema } = z.toJSONSchema(scenario, { io: "input" });
  return `${JSON.stringify({ $schema, title: "mkt arena scenario", ...schema }, null, 2)}\n`;
}

if (import.meta.main) await Bun.write(SCENARIO_SCHEMA_FILE, scenarioSchema());
