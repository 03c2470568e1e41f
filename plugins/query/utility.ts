// The two tools to call first: does the server answer, and is it connected. Neither needs a connection.

import { z } from "zod";
import { noParameters } from "../../core/tools/fields.ts";
import { defineTool, READ_ONLY } from "../../core/tools/tool.ts";

const ping = defineTool({
  name: "mkt_ping",
  title: "Ping the server",
  description: "Checks that the server answers; gives its version and number of tools. Needs no connection.",
  input: noParameters,
  output: () =>
    z.looseObject({
      status: z.string(),
      server: z.string(),
      version: z.string(),
      timestamp: z.string(),
      toolCount: z.int(),
    }),
  annotations: { ...READ_ONLY, openWorldHint: false },
  handler: (_input, { server, now }) => ({
    status: "ok" as const,
    server: server.name,
    version: server.version,
    timestamp: new Date(now()).toISOString(),
    toolCount: server.tools.size,
  }),
});

const text = z.string().nullable();
/** ConnectionFacts. */
const pubsubFacts = z.record(z.string(), z.unknown()).describe(
  "lastError: what prevents it now; lastDisconnect: when and why it was last lost",
);

const bufferFacts = z.looseObject({
  totalEvents: z.int(),
  latestSequence: z.int(),
  byCategory: z.record(z.string(), z.unknown()),
  oldestEvent: text,
  newestEvent: text,
  gapEvents: z.int().describe("Lost with a connection"),
  epoch: z.int().nullable(),
});

const connectionStatus = defineTool({
  name: "mkt_connection_status",
  title: "Connection status",
  description:
    "Tells whether the market connection (pubsub) is up, as which user, and what the event buffer holds. Needs no " +
    "connection. If disconnected: mkt_connect_pubsub.",
  input: noParameters,
  output: () =>
    z.looseObject({
      connections: z.looseObject({ redis: z.record(z.string(), z.unknown()), pubsub: pubsubFacts }),
      eventBuffer: bufferFacts,
    }),
  annotations: { ...READ_ONLY, openWorldHint: false },
  reportsConnection: true,
  handler: (_input, { pubsub, events, redis }) => ({
    connections: { redis: { ...redis() }, pubsub: { ...pubsub.facts() } },
    eventBuffer: { ...events.stats(), byCategory: { ...events.stats().byCategory }, epoch: events.epoch },
  }),
});

export default [ping, connectionStatus];
