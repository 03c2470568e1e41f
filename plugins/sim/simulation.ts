// Starts, stops and watches the simulation.

import { z } from "zod";
import {
  PERSONA_STRATEGIES,
  type SimulationStatus,
  simulationStatus,
  startSimulationRequest,
} from "../../protocol/index.ts";
import { noParameters } from "../../core/tools/fields.ts";
import { defineTool, READ_ONLY } from "../../core/tools/tool.ts";
import { defineCommand } from "./command.ts";

/** The simulation in the results of start and stop. Only mkt_sim_status gives each persona. */
const summary = simulationStatus.omit({ personas: true });
const changed = z.boolean().nullable().describe(
  "False if the simulation was in that state already and nothing changed; null on failure",
);
const simulation = summary.nullable().describe(
  "The simulation after the command, without its personas; null on failure",
);

function summaryOf({ personas: _personas, ...rest }: SimulationStatus): z.output<typeof summary> {
  return rest;
}

const startSimulation = defineCommand({
  name: "mkt_sim_start",
  title: "Start the simulation",
  description:
    "Starts AI personas that trade in the market, each on its own connection, and the spot prices they trade by. " +
    "Give a preset, or personas by strategy and count. Needs Market.Operate. Starting a run that is already under way " +
    "succeeds and changes nothing; for another run call mkt_sim_stop first. Next: mkt_sim_status, mkt_sim_get_spot_prices.",
  input: startSimulationRequest,
  fields: { changed, simulation },
  annotations: { destructiveHint: false, idempotentHint: true },
  run: async (request, { simulator, signal }) => {
    const outcome = await simulator.start(request, signal);
    if (outcome.kind !== "ok") return outcome;
    const { changed, ...simulation } = outcome.result;
    const { status, preset, speed, totals } = simulation;
    const state = `personas: ${totals.personas}, preset ${preset}, speed ${speed}`;
    const message = changed ? `The simulation is ${status}; ${state}.` : `It was ${status} already; ${state}.`;
    return { status: "success", message, changed, simulation: summaryOf(simulation) };
  },
  fieldsOfFailure: { changed: null, simulation: null },
});

const stopSimulation = defineCommand({
  name: "mkt_sim_stop",
  title: "Stop the simulation",
  description:
    "Stops the simulation: cancels every open order of its personas and disconnects all personas; trades stay. " +
    "Needs Market.Operate. Works in every state; stopping a stopped simulation succeeds. To start again: mkt_sim_start.",
  input: noParameters,
  fields: {
    changed,
    ordersCancelled: z.int().nullable().describe("Number of open persona orders that were cancelled; null on failure"),
    personasDisconnected: z.int().nullable().describe("Number of personas that were disconnected; null on failure"),
    simulation,
  },
  annotations: { destructiveHint: true, idempotentHint: true },
  allowedWhenFrozen: true,
  run: async (_input, { simulator, signal }) => {
    const outcome = await simulator.stop(signal);
    if (outcome.kind !== "ok") return outcome;
    const { changed, ordersCancelled, personasDisconnected, ...simulation } = outcome.result;
    const message = changed
      ? `Stopped; orders cancelled: ${ordersCancelled}, personas disconnected: ${personasDisconnected}.`
      : "No simulation was running.";
    return {
      status: "success",
      message,
      changed,
      ordersCancelled,
      personasDisconnected,
      simulation: summaryOf(simulation),
    };
  },
  fieldsOfFailure: { changed: null, ordersCancelled: null, personasDisconnected: null, simulation: null },
});

const getStatus = defineTool({
  name: "mkt_sim_status",
  title: "Simulation status",
  description:
    "Tells whether the simulation runs, and gives position, orders, trades, cash, profit and loss of each persona, " +
    "with totals and market metrics. Needs no connection. After a stop it gives the final figures of the run. Next: " +
    "mkt_sim_start, mkt_sim_stop.",
  input: z.strictObject({
    strategy: z.enum(PERSONA_STRATEGIES).describe("Only personas of this strategy; totals still cover all personas")
      .optional(),
  }),
  output: simulationStatus.extend({ count: z.int().describe("Number of personas returned") }),
  annotations: READ_ONLY,
  handler: async ({ strategy }, { simulator, signal }) => {
    const status = await simulator.status(signal);
    const personas = status.personas.filter((persona) => strategy === undefined || persona.strategy === strategy);
    return { ...status, count: personas.length, personas };
  },
});

export default [startSimulation, stopSimulation, getStatus];
