// What `mkt client-config` prints, made in this process.

import { type Client, clientConfiguration } from "../../../cli/client-config/client-config.ts";
import { configurationFrom, UNUSED } from "../../../cli/configured.ts";
import { PROGRAM } from "../../../cli/program.ts";
import { withDefaults } from "../../../core/config/variables.ts";
import { loadPacks } from "../../../core/packs/pack-loader.ts";
import { MKT } from "../../support/executable.ts";

export async function configurationOf(client: Client, env: Record<string, string>, demo = false) {
  const configuration = configurationFrom(PROGRAM, withDefaults(env, UNUSED));
  const { packs, failures } = await loadPacks(PROGRAM.packs, configuration, env);
  const packVariables = packs.flatMap(({ origin }) => origin?.variables ?? []);
  const server = { invocation: { command: MKT, args: [] }, environment: env, demo, packVariables };
  const { text, notes } = clientConfiguration(client, server);
  const failed = failures.map(({ source, reason }) => `${source} is not loaded: ${reason}`);
  return { text, notes: [...notes, ...failed].join("\n") };
}
