// The state of the simulation, with a page of its personas.
//
// By default the answer has DEFAULT_LIMIT personas with the columns below, so it stays under 6,000 bytes in every preset.
// Personas come in the order of the run, which doesn't change, so pages give each persona once.

import { z } from "zod";
import { thousandths } from "../../common/rounding.ts";
import { MAX_PERSONAS, PERSONA_STRATEGIES, type SimulationStatus, simulationStatus } from "../../protocol/index.ts";
import { ToolError } from "../../core/error.ts";
import { idField, limitField, listParameters, listResult, noteField } from "../../core/tools/fields.ts";
import { reportWait } from "../../core/tools/progress.ts";
import { defineTool, READ_ONLY } from "../../core/tools/tool.ts";
import { pageOf } from "../toolkit/list-page.ts";
import { didYouMeanOne } from "../toolkit/meaning.ts";
import { viewUri } from "../toolkit/view-resource.ts";
import { ANSWER } from "./persona-progress.ts";
import { summaryFields, summaryOf } from "./summary.ts";

type Persona = SimulationStatus["personas"][number];
type Row = Record<string, unknown>;

const DEFAULT_LIMIT = 15;
const DEFAULT_COLUMNS = [
  "strategy",
  "entityId",
  "netPositionMw",
  "workingOrders",
  "orders",
  "trades",
  "profitAndLoss",
] as const;
const SUMMED = ["workingOrders", "orders", "trades", "netPositionMw", "profitAndLoss"] as const;
const COLUMNS = Object.keys(simulationStatus.shape.personas.element.shape);
/** In `fields`: every column. */
const ALL = "all";

const getStatus = defineTool({
  name: "mkt_sim_status",
  title: "Simulation status",
  description:
    "Gives state and metrics of the simulation, by strategy too, and a page of personas, in MW and dollars. " +
    "fields positions: by contract. Needs Market.View, no connection; seed: Market.Operate. " +
    "Next: mkt_sim_start, mkt_sim_stop.",
  input: z.strictObject({
    strategy: idField("Only its personas, such as zip").optional(),
    ...listParameters(),
    limit: limitField(DEFAULT_LIMIT, MAX_PERSONAS),
  }),
  output: () =>
    z.looseObject({
      ...summaryFields,
      strategies: z.array(z.record(z.string(), z.unknown())),
      ...listResult,
      note: noteField,
      personas: z.array(z.record(z.string(), z.unknown())),
    }),
  annotations: READ_ONLY,
  requires: { permissions: ["Market.View"] },
  view: viewUri("simulation"),
  handler: async ({ strategy, fields, limit, cursor }, context) => {
    const view = personaView(fields);
    const { simulator, signal } = context;
    const { personas: all, ...simulation } = await reportWait(simulator.status(signal), context, ANSWER);
    const personas = strategy === undefined ? all : personasOf(strategy, all);
    const request = { list: "mkt_sim_status", filters: { strategy, startedAt: simulation.startedAt }, limit, cursor };
    const { items, ...page } = pageOf(personas, ({ id }) => id, request);
    return {
      ...summaryOf(simulation),
      strategies: strategiesOf(all),
      count: items.length,
      ...page,
      ...(personas.length === 0 && all.length > 0 && { note: "The run has no persona of this strategy." }),
      personas: items.map(view),
    };
  },
});

/** The personas of one strategy. Throws ToolError `invalid_input` if neither the run nor the protocol has the strategy. */
function personasOf(strategy: string, personas: readonly Persona[]): Persona[] {
  const name = strategy.toLowerCase();
  const found = personas.filter((persona) => persona.strategy.toLowerCase() === name);
  const known = [...new Set([...PERSONA_STRATEGIES, ...personas.map((persona) => persona.strategy)])];
  if (found.length > 0 || known.includes(name)) return found;
  throw unknownName("strategy", strategy, known);
}

/** Throws ToolError `invalid_input` for an unknown column. */
function personaView(fields: readonly string[] | undefined): (persona: Persona) => Row {
  if (fields?.includes(ALL)) return (persona) => persona;
  const columns = fields ?? DEFAULT_COLUMNS;
  const unknown = columns.find((name) => !COLUMNS.includes(name));
  if (unknown === undefined) {
    return (persona) => ({
      id: persona.id,
      ...Object.fromEntries(columns.map((name) => [name, persona[name]])),
      // Rare, and always worth knowing.
      ...(persona.fault === undefined ? {} : { fault: persona.fault }),
    });
  }
  throw unknownName("fields", unknown, [ALL, ...COLUMNS]);
}

function unknownName(parameter: string, name: string, names: readonly string[]): ToolError {
  return new ToolError(
    "invalid_input",
    `${parameter}: ${JSON.stringify(name)} is unknown.`,
    `${didYouMeanOne(name, names)}Choose from ${names.join(", ")}.`,
  );
}

/** The sums of each strategy, in the order of the run. */
function strategiesOf(personas: readonly Persona[]): Row[] {
  const groups = Map.groupBy(personas, ({ strategy }) => strategy);
  return [...groups].map(([strategy, members]) => {
    const sums = SUMMED.map((column) =>
      [column, thousandths(members.reduce((total, member) => total + member[column], 0))] as const
    );
    return { strategy, personas: members.length, ...Object.fromEntries(sums) };
  });
}

export default getStatus;
