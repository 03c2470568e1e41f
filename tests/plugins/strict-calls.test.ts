// Calls as a model makes them under OpenAI's strict schemas: every parameter is present, and null if it is optional. Every
// tool must accept such calls from OpenAI's own SDK, which drops the nulls, and from clients that send them.

import { mcpToFunctionTool, RunContext, setTracingDisabled } from "@openai/agents-core";
import { beforeAll, expect, test } from "bun:test";
import { ToolCatalogue } from "../../core/dispatch/catalogue.ts";
import { Desk, type Seat } from "./support/desk.ts";
import { BASE, SECRET } from "./support/market.ts";
import { TOOLS } from "./support/packs.ts";
import { partsOf, type Schema } from "./support/provider-rules.ts";
import { ScriptedSimulator } from "./support/scripted-simulator.ts";

setTracingDisabled(true);

/** The last call that the SDK made, with its answer. */
let answered: { name: string; value: Schema } = { name: "none", value: {} };

const server = {
  name: "mkt",
  callTool: async (name: string, input: Record<string, unknown> | null) => {
    const { value } = await seat.call(name, input ?? {});
    answered = { name, value };
    return [{ type: "text", text: JSON.stringify(value) }];
  },
};

const tools = new ToolCatalogue(TOOLS).listed
  .map((tool) => mcpToFunctionTool(tool as never, server as never, true))
  .filter((tool) => tool.strict);

let seat: Seat;

beforeAll(async () => {
  const environment = { STRESS_TEST_SECRET: SECRET, MKT_SIM_URL: new ScriptedSimulator().url };
  seat = await (await Desk.open()).connected("olga", environment);
});

/** Values of required parameters; the market refuses some of them, but none is invalid. */
const VALUES: Readonly<Record<string, unknown>> = {
  contractId: BASE,
  side: "BUY",
  price: 100,
  quantity: 1,
  entityId: "alpha",
  counterpartyId: "beta",
  limit: 5,
  creditLimit: 5,
  type: "heat_wave",
};

/** A call as a model must make it: every parameter present, null for those that are optional. */
function strictCall(schema: Schema): Record<string, unknown> {
  const properties = Object.entries(schema["properties"] as Record<string, Schema>);
  return Object.fromEntries(
    properties.map(([name, part]) => {
      const optional = partsOf(part).some(({ type }) => type === "null");
      return [name, optional ? null : VALUES[name] ?? (part["enum"] as unknown[] | undefined)?.[0] ?? "none"];
    }),
  );
}

function codeOf(value: Schema): unknown {
  return (value["error"] as Schema | undefined)?.["code"] ?? "ok";
}

test.each(tools.map((tool) => [tool.name, tool] as const))(
  "%s takes a call with null for every optional parameter",
  async (name, tool) => {
    const input = strictCall(tool.parameters as Schema);
    const direct = await seat.call(name, input);
    expect({ name, input, code: codeOf(direct.value) }).not.toMatchObject({ code: "invalid_input" });
    await tool.invoke(new RunContext(), JSON.stringify(input));
    expect({ name, answered }).toMatchObject({ name, answered: { name } });
    expect(codeOf(answered.value)).not.toBe("invalid_input");
  },
);
