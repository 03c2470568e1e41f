// Which client can use what: each client tries each feature, on each revision and over each transport, and the table of
// docs/mcp.md says what happened. `UPDATE_TABLE=1 bun test tests/e2e/mcp-features.test.ts` writes the table.
//
// The Inspector starts a process for every request, so it tries each feature only under test:long and with UPDATE_TABLE, and
// those of INSPECTOR_FEATURES in every run.

import { expect, test } from "bun:test";
import { resolve } from "node:path";
import { LONG } from "../support/sizes.ts";
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
import { type Results, type SomeResults, withClientTable, wrongCells } from "./mcp-features/table.ts";
import { openWorld, type Server } from "./mcp-features/world.ts";

const DOCUMENT = resolve(import.meta.dir, "../../docs/mcp.md");

const world = await openWorld();

const officially = async (connect: (server: Server) => ReturnType<typeof connectSdk>) =>
  officialProbes(await connect(world), world, () => connect(world.logging));
const clientProbes = (transport: Transport, revision: Revision) =>
  officially((server) => connectClient(server, transport, revision));
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
  sdk: (transport) => officially((server) => connectSdk(server, transport)),
  inspectorModern: (transport) => cliProbes(transport, MODERN),
  inspectorLegacy: (transport) => cliProbes(transport, LEGACY),
  sessionModern: (transport) => mcpdoProbes(transport, MODERN),
  sessionLegacy: (transport) => mcpdoProbes(transport, LEGACY),
};

const WRITES_TABLE = process.env["UPDATE_TABLE"] === "1";
const IS_WHOLE = LONG || WRITES_TABLE;

/** Of the official SDKs, in every run. */
const OFFICIAL: readonly Column[] = ["clientModern", "clientLegacy", "sdk"];
const columns = (Object.keys(COLUMNS) as Column[])
  .filter((column) => IS_WHOLE || OFFICIAL.includes(column));
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

test.each(
  columns.map((column) => [`${COLUMNS[column].client} on ${COLUMNS[column].revision}`, column] as const),
)(
  "%s uses its features over stdio and HTTP, or shows why it can't",
  async (_name, column) => {
    const failures = await Promise.all(TRANSPORTS.map((transport) => triedFeatures(column, transport)));
    expect(failures.flat()).toEqual([]);
  },
);

test("docs/mcp.md has the table of what was seen", async () => {
  const outcomeOf = (column: Column, transport: Transport, feature: Feature) => {
    const key = keyOf(column, transport, feature);
    return seen.get(key) ?? expect.unreachable(`not seen: ${key}`);
  };
  const results: SomeResults = Object.fromEntries(columns.map((column) => [
    column,
    Object.fromEntries(
      features.map((feature) => [
        feature,
        Object.fromEntries(TRANSPORTS.map((transport) => [transport, outcomeOf(column, transport, feature)])),
      ]),
    ),
  ])) as SomeResults;
  const document = await Bun.file(DOCUMENT).text();
  if (!IS_WHOLE) {
    expect(wrongCells(document, results)).toEqual([]);
    return;
  }
  const updated = withClientTable(document, results as Results);
  if (WRITES_TABLE) await Bun.write(DOCUMENT, updated);
  else expect(document).toBe(updated);
});
