// The documented format of market files: its schema follows from the declaration, and the examples are valid markets.

import { describe, expect, test } from "bun:test";
import Ajv from "ajv/dist/2020.js";
import { MARKET_SCHEMA_FILE, marketSchema } from "../../../scripts/market-schema.ts";
import { contractsAt } from "../../../engine/definition/listed-contracts.ts";
import { loadDefinition } from "../../../engine/definition/load-definition.ts";
import type { MarketDefinition } from "../../../engine/definition/market-definition.ts";
import { EngineDriver } from "../support/engine-driver.ts";

const EXAMPLES = ["around-the-clock", "sessions"] as const;
const DOCUMENT = new URL("../../../docs/market-file.md", import.meta.url);
const pathOf = (example: string) => new URL(`../../../docs/examples/${example}.json`, import.meta.url).pathname;

function example(name: (typeof EXAMPLES)[number]): MarketDefinition {
  const loaded = loadDefinition(pathOf(name));
  if (!loaded.ok) throw new Error(loaded.faults.join("; "));
  return loaded.definition;
}

/** The names of all properties in a JSON Schema. */
function propertiesOf(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const properties = "properties" in schema ? Object.keys(schema.properties as Record<string, unknown>) : [];
  return [...properties, ...Object.values(schema).flatMap(propertiesOf)];
}

describe("the market file", () => {
  test("has the schema of its declaration (after a change, run bun scripts/market-schema.ts)", async () => {
    expect(await Bun.file(MARKET_SCHEMA_FILE).text()).toBe(marketSchema());
  });

  test("has every property in docs/market-file.md", async () => {
    const document = await Bun.file(DOCUMENT).text();
    const names = new Set(propertiesOf(JSON.parse(marketSchema())));
    expect(names.size).toBeGreaterThan(30);
    const isDocumented = (name: string) =>
      document.includes(`\`${name}\``) || new RegExp(`^##+ .*\\b${name}\\b`, "m").test(document);
    expect([...names].filter((name) => name !== "$schema" && !isDocumented(name))).toEqual([]);
  });

  test.each([...EXAMPLES])("of example %s fits the schema and the engine's own check", async (name) => {
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(JSON.parse(marketSchema()));
    expect(validate(await Bun.file(pathOf(name)).json())).toBe(true);
    expect(contractsAt(example(name), Date.now()).length).toBeGreaterThan(0);
  });

  test("of the example around the clock lists tomorrow's hours from ten o'clock on and trades at once", () => {
    const engine = new EngineDriver(example("around-the-clock"));
    const hours = () => engine.all("CONTRACT").filter(({ id }) => id.startsWith("EAST-HOUR-2026-01-16")).length;
    engine.advanceTo("2026-01-15T09:59:59.999Z");
    expect(hours()).toBe(0);
    engine.advanceTo("2026-01-15T10:00:00Z");
    expect(hours()).toBe(24);
    const terms = { contractId: "EAST-HOUR-2026-01-16-H12", price: 8000, quantity: 0.1 };
    engine.sell("wanda", terms);
    expect(engine.buy("tomas", terms).order.status).toBe("filled");
  });

  test("of the example with sessions holds orders in each preopen, by day and by night", () => {
    const engine = new EngineDriver(example("sessions"));
    engine.advanceTo("2026-01-15T13:30:00Z");
    const month = { contractId: "HUB-MONTH-2026-03", price: 4000, quantity: 1 };
    const day = { contractId: "HUB-NEXT-DAY-2026-01-17", price: 4000, quantity: 1 };
    expect(engine.buy("nora", month).order.status).toBe("held");
    expect(engine.buy("nora", day).outcome).toBe("market_closed");
    engine.advanceTo("2026-01-16T02:30:00Z");
    expect(engine.buy("nora", month).outcome).toBe("market_closed");
    expect(engine.buy("nora", day).order.status).toBe("held");
    engine.advanceTo("2026-01-16T03:00:00Z");
    expect(engine.module("MARKET", "NIGHT")).toMatchObject({ status: "open", close: "2026-01-16T11:00:00.000Z" });
  });
});
