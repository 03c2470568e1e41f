// The prompt that runs a simulation as an experiment. It is the only built-in one whose steps change the market.

import { definePrompt, type PromptArguments } from "../../core/prompts/prompt.ts";
import type { ToolContext } from "../../core/tools/context.ts";
import { DEFAULT_PRESET, SIMULATION_PRESETS, SPOT_EVENT_TYPES } from "../../protocol/index.ts";
import { nameArgument, numberArgument } from "../toolkit/prompt-arguments.ts";
import { oneOf } from "../toolkit/completions.ts";
import { call, CONNECT_TOOLS, ifOffered, promptText, step } from "../toolkit/prompt-text.ts";

const HOURS = { least: 0.1, most: 168 };
const SPEED = { least: 0.1, most: 1000 };
const SEED = { least: 0, most: 4_294_967_295, whole: true };
const DEFAULT_HOURS = 1;
/** Real minutes from which the agent asks before it starts. */
const LONG_MINUTES = 30;

interface Experiment {
  readonly preset: string;
  readonly hours: number;
  readonly speed: number | undefined;
  readonly seed: number | undefined;
  readonly event: string | undefined;
}

export const experiment = definePrompt({
  name: "mkt_sim_experiment",
  title: "Run a simulation experiment",
  description:
    "Starts simulated traders in this market, lets them trade for some hours of market time, can trigger a market " +
    "event halfway, stops them and reports. Their trades stay. Needs Market.Operate.",
  arguments: {
    preset: {
      description: "How busy the market is: calm, volatile, stress or thin; absent: calm",
      required: false,
      complete: oneOf(SIMULATION_PRESETS),
    },
    hours: {
      description: "Hours of market time that it runs, 0.1 to 168, such as 6; absent: 1",
      required: false,
      complete: oneOf(["1", "2", "6", "12", "24", "48", "168"]),
    },
    speed: {
      description: "Speed of market time in the run, 0.1 to 1000, such as 60: an hour takes a minute; absent: as it is",
      required: false,
      complete: oneOf(["1", "10", "60", "120", "300", "600", "1000"]),
    },
    seed: {
      description: "Seed of the random numbers, a whole number such as 7; absent: the simulator chooses one",
      required: false,
      complete: oneOf(["1", "2", "3", "7", "42"]),
    },
    eventType: {
      description: "Market event halfway, such as heat_wave or plant_outage; absent: none",
      required: false,
      complete: oneOf(SPOT_EVENT_TYPES),
    },
  },
  requires: { permissions: ["Market.Operate"] },
  uses: ["mkt_sim_status", "mkt_sim_get_spot_prices", "mkt_sim_start", "mkt_sim_trigger_event", "mkt_sim_stop"],
  mayUse: [...CONNECT_TOOLS, "mkt_watch_market"],
  messages: (given, context) => {
    const settings = settingsOf(given);
    const { preset, hours, event } = settings;
    return promptText({
      task: `Run a simulation experiment: preset ${preset}, ${hours} h of market time${
        event === undefined ? "" : `, with a ${event} halfway`
      }. Then report what happened.`,
      rules: [
        "You may start and stop this one run, and trigger the event if a step says so. Change nothing else. Never stop a run " +
        "that you did not start.",
        "The personas trade with everybody in this market, and their trades stay. If it looks as if others use this market " +
        "for something else, stop and ask before you start.",
      ],
      steps: stepsFor(settings, context),
      report: [
        "First a sentence: what the run shows.",
        "Settings: preset, seed, speed, startedAt, simulatedTime at the end, personas. The same settings give about the same run.",
        "Totals: orders, trades, MW, rejected orders; trades of each strategy, its net MW and profit.",
        "Metrics, in percent: smithsAlpha, meanSpread, twoSidedBooks, allocativeEfficiency; for null the reason.",
        event === undefined
          ? "Spot prices of each node: at the start, at the end, lowest and highest, regimes."
          : "Spot prices of each node and the metrics before and after the event; one run proves no cause.",
        "The end: ordersCancelled, personasDisconnected, no working order of a persona left, and any failure.",
      ],
    }, context);
  },
});

/** Throws ToolError `invalid_input`. */
function settingsOf(given: PromptArguments): Experiment {
  return {
    preset: nameArgument(given, "preset", SIMULATION_PRESETS) ?? DEFAULT_PRESET,
    hours: numberArgument(given, "hours", HOURS) ?? DEFAULT_HOURS,
    speed: numberArgument(given, "speed", SPEED),
    seed: numberArgument(given, "seed", SEED),
    event: nameArgument(given, "eventType", SPOT_EVENT_TYPES),
  };
}

function stepsFor({ preset, hours, speed, seed, event }: Experiment, context: ToolContext): string[] {
  const settings = { preset, ...(seed !== undefined && { seed }), ...(speed !== undefined && { speed }) };
  return [
    step(
      "mkt_sim_status",
      { limit: 1 },
      `status must be stopped. Otherwise somebody's run is on: stop and ask what to do. ${lengthOf(hours, speed)}`,
    ),
    step("mkt_sim_get_spot_prices", { hours: 0 }, "the prices before."),
    step(
      "mkt_sim_start",
      settings,
      "status success and changed true: the run is yours; note seed and startedAt. changed false or already_running: another " +
        "one is on; stop and ask. timeout: the outcome is unknown, the status tells. nothingToTrade: no market is open or no " +
        "contract is listed, so go on with the stop. The speed holds for the whole market until the stop.",
    ),
    `Wait until simulatedTime of mkt_sim_status is ${event === undefined ? hours : hours / 2} h after startedAt. ` +
    `${waiting(context)} failure in the status: the run has ended by itself; go on with the final figures.`,
    ...(event === undefined ? [] : eventSteps(event, hours)),
    step(
      "mkt_sim_status",
      { limit: 50 },
      "totals, strategies and metrics of the running market. reasons says why one is null.",
    ),
    step(
      "mkt_sim_get_spot_prices",
      { hours: Math.ceil(hours) },
      "prices by hour, with regimes and the events that act now.",
    ),
    step("mkt_sim_stop", {}, "also if a step after the start has failed, but only if the run is yours."),
    step("mkt_sim_status", { limit: 50 }, "the final figures; status is stopped and totals.workingOrders 0."),
  ];
}

function eventSteps(type: string, hours: number): string[] {
  const durationHours = Math.max(0.25, Math.round(hours * 50) / 100);
  return [
    step("mkt_sim_status", { limit: 1 }, "the metrics before the event."),
    step("mkt_sim_get_spot_prices", { hours: 0 }, "the prices before the event."),
    step(
      "mkt_sim_trigger_event",
      { type, durationHours },
      "once, because each call adds one. After a timeout look at the active events of the spot prices before you repeat it.",
    ),
    `Wait in the same way until simulatedTime is ${hours} h after startedAt.`,
  ];
}

function lengthOf(hours: number, speed: number | undefined): string {
  const longest = `more than ${LONG_MINUTES} min`;
  if (speed === undefined) {
    return `The run takes ${
      hours * 60
    } min / speed of real time (speed of this answer): if that is ${longest}, ask first. ` +
      "speed 0: market time stands still until somebody advances it; say so and stop.";
  }
  const minutes = Math.ceil(hours * 60 / speed);
  const ask = minutes > LONG_MINUTES ? ` That is ${longest}: ask first.` : "";
  return `The run takes about ${minutes} min of real time.${ask}`;
}

function waiting(context: ToolContext): string {
  const [watch = "Look again after a while, not in a tight loop."] = ifOffered(
    "mkt_watch_market",
    context,
    `To pass time: ${
      call("mkt_watch_market", { limit: 1 })
    } gives latestSequence; with it as since, and waitSeconds 30, the ` +
      "same call waits; look at the status after each.",
  );
  return watch;
}
