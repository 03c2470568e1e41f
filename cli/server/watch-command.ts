// The command line of `mkt watch`. The program says which tool follows which topic, because core names no tool.

import type { Command } from "commander";
import { checkAll, untilSignal, UsageError } from "../../common/command-line.ts";
import { checkOptions, choiceArgument } from "../../common/options.ts";
import { type CommandLineProgram, configurationFrom, configuredRuntime } from "../configured.ts";
import { ENVIRONMENT } from "../../core/config/env-file.ts";
import { type Environment, withDefaults } from "../../core/config/variables.ts";
import { watch } from "./watch.ts";

const FILTERS = { contract: "contractId", entity: "entityId", order: "orderId" } as const;
type FilterOption = keyof typeof FILTERS;
const FILTER_OPTIONS = Object.keys(FILTERS) as FilterOption[];

/** What can be watched: the tool that reads its events, and the parameters by which the tool filters. */
interface WatchTopic {
  readonly tool: string;
  readonly filters: readonly string[];
}

/** `all`: without a topic. */
type WatchTopics = Readonly<Record<string, WatchTopic>> & { readonly all: WatchTopic };

type WatchArguments = Partial<Record<FilterOption, string>> & { readonly json?: true };

/** The command itself prints notes about the connection, so log lines appear only if LOG_LEVEL asks for them. */
const DEFAULTS: Environment = { LOG_LEVEL: "error" };

export function addWatchCommand(command: Command, program: CommandLineProgram, topics: WatchTopics): void {
  const { all, ...named } = topics;
  command.command("watch")
    .description("follow the market's events until Ctrl-C, one line each; prices in cents/MWh, quantities in MW")
    .addArgument(choiceArgument("[topic]", "what to follow (default: everything)", Object.keys(named)))
    .option("--contract <id>", "only events of this contract")
    .option("--entity <id>", "only events of this entity")
    .option("--order <id>", "only events of this order")
    .option("--json", "as JSON, one line for each event, with all fields")
    .action(async (name: string | undefined, given: WatchArguments, self: Command) => {
      const environment = withDefaults(ENVIRONMENT, DEFAULTS);
      const topic = topics[name ?? "all"] ?? all;
      checkAll(
        () => checkOptions(self),
        () => checkFilters(topic, given),
        () => configurationFrom(program, environment),
      );
      await runWatch(program, topic, given);
    });
}

function checkFilters(topic: WatchTopic, given: WatchArguments): void {
  const taken = FILTER_OPTIONS.filter((name) => topic.filters.includes(FILTERS[name]));
  const accepted = taken.map((name) => `--${name}`).join(", ");
  const faults = filtersIn(given).flatMap(([name, value]) => {
    if (!taken.includes(name)) return [`--${name}: is not a filter of this topic, which takes ${accepted || "none"}`];
    // The tool would take an empty id for no filter, and all events would be shown.
    return value === "" ? [`--${name}: is empty; give an id`] : [];
  });
  if (faults.length > 0) throw new UsageError(faults.join("\n"));
}

function filtersIn(given: WatchArguments): [FilterOption, string][] {
  return FILTER_OPTIONS.flatMap((name) => given[name] === undefined ? [] : [[name, given[name]]]);
}

async function runWatch(program: CommandLineProgram, { tool }: WatchTopic, given: WatchArguments): Promise<void> {
  const runtime = await configuredRuntime(program, ENVIRONMENT, DEFAULTS, "visitor");
  const ended = new AbortController();
  void untilSignal().then(() => ended.abort());
  const filters = Object.fromEntries(filtersIn(given).map(([name, value]) => [FILTERS[name], value]));
  try {
    await watch(runtime, { tool, filters, json: given.json === true, signal: ended.signal });
  } finally {
    await runtime.close();
  }
}
