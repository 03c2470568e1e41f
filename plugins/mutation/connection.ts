// Connects to the market and disconnects. One process acts as one user at a time.

import { z } from "zod";
import type { Followers } from "../../core/backend/pubsub.ts";
import { connectToOneEngine } from "../../core/backend/same-engine.ts";
import { ToolError } from "../../core/error.ts";
import type { ToolContext } from "../../core/tools/context.ts";
import { idField, noParameters } from "../../core/tools/fields.ts";
import { reportWait } from "../../core/tools/progress.ts";
import { didYouMean, nearestModule } from "../toolkit/meaning.ts";
import { defineMutation } from "../toolkit/mutation.ts";

const connect = defineMutation({
  name: "mkt_connect_pubsub",
  title: "Connect to the market",
  description:
    "Connects as a user and loads the market. Orders, books, credit, events and all changes need it. Gives your " +
    "entityId. To change the user call mkt_disconnect_pubsub first; mkt_list_users gives user ids.",
  input: z.strictObject({
    userId: idField("Directory object id; default MKT_USER_ID").optional(),
  }),
  fields: {
    entityId: z.string().nullable(),
    capabilities: z.array(z.string()),
    engineId: z.string().nullable(),
    epoch: z.int().nullable(),
  },
  annotations: { destructiveHint: false, idempotentHint: true },
  requires: {},
  allowedInReadOnly: true,
  allowedWhenFrozen: true,
  // A page shows nothing before the server is connected. A viewer can neither choose the acting user nor undo a disconnect.
  allowedForViewers: ({ userId }, { pubsub }) => userId === undefined && pubsub.disconnects === 0,
  run: async ({ userId }, context) => {
    const { configuration, pubsub, signal } = context;
    const again = pubsub.status === "connected";
    const as = userId ?? configuration.backend.userId;
    const wait = { what: `Connects as ${as} and loads the market` };
    const attempt = connectToOneEngine(context, as, signal).catch(async (error: unknown) => {
      throw await withNearestUser(error, as, context);
    });
    const session = await reportWait(attempt, context, wait);
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

/** The error of a connect. If the engine does not know the user, its hint has the nearest one that MKT_USER_ID sees. */
async function withNearestUser(error: unknown, userId: string, { backend, signal }: ToolContext): Promise<unknown> {
  if (!(error instanceof ToolError) || error.code !== "not_found") return error;
  try {
    const meant = didYouMean(nearestModule(userId, await backend.users(signal)));
    return new ToolError(error.code, error.message, meant + error.hint, { cause: error });
  } catch (failed) {
    // MKT_USER_ID may be unknown to the engine, too.
    return failed instanceof ToolError ? error : failed;
  }
}

const disconnect = defineMutation({
  name: "mkt_disconnect_pubsub",
  title: "Disconnect from the market",
  description:
    "Ends this server's market connection, for all of its clients. Orders stay; pending requests end unconfirmed. Succeeds " +
    "if not connected.",
  input: noParameters,
  fields: {},
  annotations: { destructiveHint: false, idempotentHint: true },
  requires: {},
  allowedInReadOnly: true,
  allowedWhenFrozen: true,
  run: async (_input, { pubsub }) => {
    const userId = pubsub.session?.userId ?? null;
    const followers = await pubsub.disconnect();
    const own = userId === null ? "There was no connection." : `Disconnected; the acting user was ${userId}.`;
    return { status: "success", message: followers ? `${own} ${aboutReplicas(followers)}` : own };
  },
  fieldsOfFailure: () => ({}),
});

function aboutReplicas({ others, followed }: Followers): string {
  const replicas = others === 1 ? "replica" : "replicas";
  if (followed === others) return `${others} other ${replicas} of this server disconnected, too.`;
  return `${followed} of ${others} other ${replicas} of this server disconnected so far; the others follow when they can.`;
}

export default [connect, disconnect];
