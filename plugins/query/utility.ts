// The two tools to call first: does the server answer, and is it connected. Neither needs a connection.

import { z } from "zod";
import { EVENT_CATEGORIES } from "../../protocol/index.ts";
import { noParameters } from "../../core/tools/fields.ts";
import { defineTool, READ_ONLY } from "../../core/tools/tool.ts";

const ping = defineTool({
  name: "mkt_ping",
  title: "Ping the server",
  description: "Checks that the server answers, and gives its version and the number of tools it offers. Needs no " +
    "connection. Next: mkt_connection_status.",
  input: noParameters,
  output: z.looseObject({
    status: z.literal("ok").describe("The server answers"),
    server: z.string().describe("Name of the server"),
    version: z.string().describe("Semantic version of the server"),
    timestamp: z.iso.datetime().describe("Current time of the server"),
    toolCount: z.int().describe("Number of tools that this configuration offers"),
  }),
  annotations: { ...READ_ONLY, openWorldHint: false },
  handler: (_input, { server, now }) => ({
    status: "ok" as const,
    server: server.name,
    version: server.version,
    timestamp: new Date(now()).toISOString(),
    toolCount: server.toolCount,
  }),
});

const pubsubFacts = z.looseObject({
  status: z.enum(["disconnected", "connecting", "connected", "reconnecting"]).describe("State of the connection"),
  url: z.string().describe("WebSocket address of the backend"),
  userId: z.string().nullable().describe("Acting user; null when disconnected"),
  entityId: z.string().nullable().describe("Entity of the acting user, if any"),
  engineId: z.string().nullable().describe("Id of the backend; null when disconnected"),
  epoch: z.int().nullable().describe("Epoch of the event sequence numbers"),
  since: z.string().nullable().describe("ISO time of the last change of status; null before the first connect"),
  reconnects: z.int().describe("Number of times that a lost connection was restored"),
  unreadableMessages: z.int().describe(
    "Messages from the backend that could not be read. After each, the connection was made again with a whole snapshot",
  ),
  incomplete: z.boolean().describe("Whether modules are missing because they could not be read repeatedly"),
  lastError: z.string().nullable().describe("Why the connection was last lost or refused"),
});

const bufferFacts = z.looseObject({
  totalEvents: z.int().describe("Events buffered now"),
  latestSequence: z.int().describe("Sequence number of the newest event; 0 before the first"),
  byCategory: z.record(z.enum(EVENT_CATEGORIES), z.int()).describe("Events buffered now, by category"),
  oldestEvent: z.string().nullable().describe("ISO time of the oldest buffered event"),
  newestEvent: z.string().nullable().describe("ISO time of the newest buffered event"),
  gapEvents: z.int().describe("Number of events that were lost with a connection and could not be resent"),
  epoch: z.int().nullable().describe("Epoch of the sequence numbers; null before the first connect"),
});

const connectionStatus = defineTool({
  name: "mkt_connection_status",
  title: "Connection status",
  description:
    "Tells whether the market connection (pubsub) is up, which user it acts as, and what the event buffer holds. " +
    "Needs no connection. If pubsub is disconnected, call mkt_connect_pubsub.",
  input: noParameters,
  output: z.looseObject({
    connections: z.looseObject({
      redis: z.looseObject({
        status: z.string().describe("not_configured: this server shares no event log with others"),
      }).describe("Shared event log"),
      pubsub: pubsubFacts.describe("WebSocket connection to the backend"),
    }).describe("The connections of this server"),
    eventBuffer: bufferFacts.describe("Event buffer of the monitor tools"),
  }),
  annotations: { ...READ_ONLY, openWorldHint: false },
  handler: (_input, { pubsub, events }) => ({
    connections: { redis: { status: "not_configured" }, pubsub: { ...pubsub.facts() } },
    eventBuffer: { ...events.stats(), byCategory: { ...events.stats().byCategory }, epoch: events.epoch },
  }),
});

export default [ping, connectionStatus];
