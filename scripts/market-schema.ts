// Writes docs/market-file.schema.json, the JSON Schema of what `--market FILE` takes, from the declaration that checks it.
// `bun scripts/market-schema.ts` after a change of sim/definition/market-definition.ts; a test fails while the file is not
// what this would write.

import { z } from "zod";
import { marketDefinition } from "../sim/definition/market-definition.ts";

export const MARKET_SCHEMA_FILE = new URL("../docs/market-file.schema.json", import.meta.url);

export function marketSchema(): string {
  // As input: what has a default may be absent.
  const { $schema, ...schema } = z.toJSONSchema(marketDefinition, { io: "input" });
  return `${JSON.stringify({ $schema, title: "mkt market file", ...schema }, null, 2)}\n`;
}

if (import.meta.main) await Bun.write(MARKET_SCHEMA_FILE, marketSchema());
