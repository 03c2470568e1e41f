// Connects to the market and disconnects. One process acts as one user at a time.

import { z } from "zod";
import { connectToOneEngine } from "../../core/backend/same-engine.ts";
import { idField, noParameters } from "../../core/tools/fields.ts";
import { defineMutation } from "../toolkit/mutation.ts";

const connect = defineMutation({
  name: "mkt_connect_pubsub",
  title: "Connect to the market",
  description:
    "Connects to the market as a user and loads its whole state. Orders, book, credit, events and every change " +
    "need this connection. Repeating it for the same user succeeds; for another user call mkt_disconnect_pubsub first. " +
    "mkt_list_users gives user ids.",
  input: z.strictObject({
    userId: idField("User to act as (directory object id); the configured MKT_USER_ID if absent").optional(),
  }),
  fields: {
    entityId: z.string().nullable().describe("Entity of the acting user; null if the user has none"),
    capabilities: z.array(z.string()).describe("Permissions of the acting user"),
    engineId: z.string().nullable().describe("Id of the backend"),
    epoch: z.int().nullable().describe("Epoch of the event sequence numbers"),
  },
  annotations: { destructiveHint: false, idempotentHint: true },
  requires: {},
  allowedInReadOnly: true,
  allowedWhenFrozen: true,
  run: async ({ userId }, context) => {
    const { configuration, pubsub, signal } = context;
    const again = pubsub.status === "connected";
    const session = await connectToOneEngine(context, userId ?? configuration.backend.userId, signal);
    return {
      status: "success",
      message: again
        ? `Already connected as ${session.userId}.`
        : `Connected as ${session.userId}. Next: mkt_get_market_state, mkt_list_products, mkt_get_order_book.`,
      userId: session.userId,
      entityId: session.entityId,
      capabilities: [...session.capabilities],
      engineId: session.engineId,
      epoch: session.epoch,
    };
  },
  fieldsOfFailure: (_input, { pubsub: { session } }) => ({
    entityId: session?.entityId ?? null,
    capabilities: [...session?.capabilities ?? []],
    engineId: session?.engineId ?? null,
    epoch: session?.epoch ?? null,
  }),
});

const disconnect = defineMutation({
  name: "mkt_disconnect_pubsub",
  title: "Disconnect from the market",
  description:
    "Ends the market connection of this server, for all of its clients. Requests that wait for a confirmation end " +
    "unconfirmed; orders stay. The connection stays down until mkt_connect_pubsub. Also succeeds if not connected.",
  input: noParameters,
  fields: {},
  annotations: { destructiveHint: false, idempotentHint: true },
  requires: {},
  allowedInReadOnly: true,
  allowedWhenFrozen: true,
  run: async (_input, { pubsub }) => {
    const userId = pubsub.session?.userId ?? null;
    await pubsub.disconnect();
    return {
      status: "success",
      message: userId === null ? "There was no connection." : `Disconnected; the acting user was ${userId}.`,
    };
  },
  fieldsOfFailure: () => ({}),
});

export default [connect, disconnect];
