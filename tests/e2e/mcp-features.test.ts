// Which client can use what: each client tries each feature, on each revision and over each transport, and the table of
// docs/mcp.md says what happened. `UPDATE_TABLE=1 bun test tests/e2e/mcp-features.test.ts` writes the table.

import { expect, test } from "bun:test";
import { resolve } from "node:path";
import {
  type Column,
  COLUMNS,
  type Feature,
  FEATURES,
  LEGACY,
  MODERN,
  type Outcome,
  type Probes,
  type Revision,
  type Transport,
  TRANSPORTS,
} from "./mcp-features/features.ts";
import { inspectorClient, sessionClient } from "./mcp-features/inspector.ts";
import { inspectorProbes } from "./mcp-features/inspector-probes.ts";
import { connectClient, connectSdk } from "./mcp-features/official-client.ts";
import { officialProbes } from "./mcp-features/official-probes.ts";
import { sessionProbes } from "./mcp-features/session-probes.ts";
import { type Results, withClientTable } from "./mcp-features/table.ts";
import { openWorld, type Server } from "./mcp-features/world.ts";

const DOCUMENT = resolve(import.meta.dir, "../../docs/mcp.md");

const world = await openWorld();

const clientProbes = async (transport: Transport, revision: Revision) => {
  const connect = (server: Server) => connectClient(server, transport, revision);
  return officialProbes(await connect(world), world, () => connect(world.logging));
};
const sdkProbes = async (transport: Transport) => {
  const connect = (server: Server) => connectSdk(server, transport);
  return officialProbes(await connect(world), world, () => connect(world.logging));
};
const cliProbes = (transport: Transport, revision: Revision) => {
  const connect = (server: Server) => inspectorClient(world, transport, revision, server);
  return inspectorProbes(connect(world), connect(world.logging));
};
const mcpdoProbes = async (transport: Transport, revision: Revision) => {
  const connect = (server: Server) => sessionClient(world, transport, revision, server);
  return sessionProbes(await connect(world), world, () => connect(world.logging));
};

const PROBES: Readonly<Record<Column, (transport: Transport) => Promise<Probes> | Probes>> = {
  clientModern: (transport) => clientProbes(transport, MODERN),
  clientLegacy: (transport) => clientProbes(transport, LEGACY),
  sdk: sdkProbes,
  inspectorModern: (transport) => cliProbes(transport, MODERN),
  inspectorLegacy: (transport) => cliProbes(transport, LEGACY),
  sessionModern: (transport) => mcpdoProbes(transport, MODERN),
  sessionLegacy: (transport) => mcpdoProbes(transport, LEGACY),
};

const columns = Object.keys(COLUMNS) as Column[];
const features = Object.keys(FEATURES) as Feature[];
const seen = new Map<string, Outcome>();
const keyOf = (column: Column, transport: Transport, feature: Feature) => `${column}, ${transport}, ${feature}`;

/** What failed. */
async function triedFeatures(column: Column, transport: Transport): Promise<string[]> {
  const probes = await PROBES[column](transport);
  const failures: string[] = [];
  for (const feature of features) {
    const key = keyOf(column, transport, feature);
    try {
      seen.set(key, await probes[feature]());
    } catch (error) {
      failures.push(`${key}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return failures;
}

test.each(columns.map((column) => [`${COLUMNS[column].client} on ${COLUMNS[column].revision}`, column] as const))(
  "%s uses each feature over stdio and HTTP, or shows why it can't",
  async (_name, column) => {
    const failures = await Promise.all(TRANSPORTS.map((transport) => triedFeatures(column, transport)));
    expect(failures.flat()).toEqual([]);
  },
);

test("docs/mcp.md has the table of what was seen", async () => {
  const outcomeOf = (column: Column, transport: Transport, feature: Feature) => {
    const outcome = seen.get(keyOf(column, transport, feature));
    if (outcome === undefined) throw new Error(`not seen: ${keyOf(column, transport, feature)}`);
    return outcome;
  };
  const results = Object.fromEntries(columns.map((column) => [
    column,
    Object.fromEntries(features.map((feature) => [feature, {
      stdio: outcomeOf(column, "stdio", feature),
      http: outcomeOf(column, "http", feature),
    }])),
  ])) as Results;
  const document = await Bun.file(DOCUMENT).text();
  const updated = withClientTable(document, results);
  if (process.env["UPDATE_TABLE"] === "1") await Bun.write(DOCUMENT, updated);
  else expect(document).toBe(updated);
});
