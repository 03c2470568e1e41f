// Writes docs/market-file.schema.json, the JSON Schema of market files (`--market FILE`), from the declaration in
// engine/definition/market-definition.ts. A test fails if the file is not current.
//
//   bun scripts/market-schema.ts

import { z } from "zod";
import { marketDefinition } from "../engine/definition/market-definition.ts";

export const MARKET_SCHEMA_FILE = new URL("../docs/market-file.schema.json", import.meta.url);

export function marketSchema(): string {
  // As input: fields with a default may be absent.
  const { $schema, ...schema } = z.toJSONSchema(marketDefinition, { io: "input" });
  return `${JSON.stringify({ $schema, title: "mkt market file", ...schema }, null, 2)}\n`;
}

if (import.meta.main) await Bun.write(MARKET_SCHEMA_FILE, marketSchema());
