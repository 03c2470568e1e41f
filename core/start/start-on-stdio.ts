// `mkt` on stdio: decides whether this process may answer its client before the rest of the program is loaded, and does so.
//
// It may if nothing can go wrong on the way: the configuration has no fault, and all tools are built in. Everything else
// starts the whole program, which also reports the faults. With a receiver of traces each call has a span, so nothing may
// run before what makes spans is loaded. Loads no library.

import { wantsTelemetry } from "../../common/telemetry/settings.ts";
import { untilSignal } from "../../common/command-line.ts";
import type { Configuration } from "../config/configuration.ts";
import { ENVIRONMENT, loadEnvFile } from "../config/env-file.ts";
import { readConfiguration } from "../config/environment.ts";
import { callLogFault } from "../guardrails/call-log.ts";
import { packNameFaults } from "../packs/pack-choice.ts";
import { EarlyAnswers } from "./early-answers.ts";
import { EarlyClient } from "./early-client.ts";
import { EarlyOutput } from "./early-output.ts";
import type { StartTable } from "./start-table.ts";

export interface StartedClient {
  readonly client: EarlyClient;
  readonly answers: EarlyAnswers;
  readonly output: EarlyOutput;
  /** Resolves on SIGTERM or SIGINT. */
  readonly stopped: Promise<void>;
}

/** How long a client may send nothing until more is loaded anyway. Loading blocks the process. */
const LOAD_DELAY_MS = 30;

/**
 * Begins to answer the client on stdin, and resolves when the rest of the program is needed. Null if this process does not
 * serve on stdio or can't answer early.
 */
export async function startOnStdio(table: StartTable | null): Promise<StartedClient | null> {
  if (table === null || process.argv.length > 2 || loadEnvFile() !== null) return null;
  const read = readConfiguration(ENVIRONMENT);
  // The settings of telemetry may have faults, which are only read with the rest of the program.
  if (!read.ok || wantsTelemetry(ENVIRONMENT) || !mayAnswerEarly(table, read.configuration)) return null;
  const stopped = untilSignal();
  const output = new EarlyOutput();
  const answers = new EarlyAnswers(table, read.configuration, output);
  const client = new EarlyClient(answers, Bun.stdin.stream());
  const late = Bun.sleep(read.configuration.backend.autoConnect ? 0 : LOAD_DELAY_MS);
  await Promise.race([client.waits, answers.listed, stopped, late]);
  return { client, answers, output, stopped };
}

function mayAnswerEarly(table: StartTable, configuration: Configuration): boolean {
  const { http, packs, guardrails: { callLog } } = configuration;
  return http === null && packs.directory === null && packNameFaults(table.packs, configuration).length === 0 &&
    (callLog === null || callLogFault(callLog) === null);
}
