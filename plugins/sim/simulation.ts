// Starts and stops the simulation.

import { z } from "zod";
import { startSimulationRequest } from "../../protocol/index.ts";
import { noParameters } from "../../core/tools/fields.ts";
import { defineCommand } from "./command.ts";
import { withPersonaProgress } from "./persona-progress.ts";
import { summaryOf } from "./summary.ts";

const changed = z.boolean().nullable().describe("False: it was so already");
const simulation = z.record(z.string(), z.unknown()).nullable().describe(
  "As mkt_sim_status gives it, without personas",
);

const { preset, personas, seed, speed } = startSimulationRequest.shape;

/** The request of the protocol, with shorter descriptions. */
const startInput = startSimulationRequest.extend({
  preset: preset.describe("Spot prices and personas; calm if absent"),
  personas: personas.describe("Instead of the preset's; 200 in all"),
  seed: seed.describe("Random if absent"),
  speed: speed.describe("Of market time, for the whole market; as it is if absent"),
});

const startSimulation = defineCommand({
  name: "mkt_sim_start",
  title: "Start the simulation",
  description:
    "Starts AI personas that trade, and the spot prices they trade by. Needs Market.Operate. For another run call " +
    "mkt_sim_stop first. Next: mkt_sim_status.",
  input: startInput,
  fields: { changed, simulation },
  annotations: { destructiveHint: false, idempotentHint: true },
  run: async (request, context) => {
    const outcome = await withPersonaProgress(context.simulator.start(request, context.signal), "starting", context);
    if (outcome.kind !== "ok") return outcome;
    const { changed, ...simulation } = outcome.result;
    const { status, preset, speed, totals } = simulation;
    const state = `personas: ${totals.personas}, preset ${preset}, speed ${speed}`;
    const message = changed
      ? `The simulation is ${status}; ${state}.`
      : `The simulation was ${status} already; ${state}.`;
    return { status: "success", message, changed, simulation: summaryOf(simulation) };
  },
  fieldsOfFailure: { changed: null, simulation: null },
});

const stopSimulation = defineCommand({
  name: "mkt_sim_stop",
  title: "Stop the simulation",
  description:
    "Cancels every open order of the personas and disconnects them; their trades stay. Needs Market.Operate. Next: " +
    "mkt_sim_start.",
  input: noParameters,
  fields: {
    changed,
    ordersCancelled: z.int().nullable(),
    personasDisconnected: z.int().nullable(),
    simulation,
  },
  annotations: { destructiveHint: true, idempotentHint: true },
  allowedWhenFrozen: true,
  run: async (_input, context) => {
    const outcome = await withPersonaProgress(context.simulator.stop(context.signal), "stopping", context);
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

export default [startSimulation, stopSimulation];
