// Users, over HTTP, so they can be read without a market connection.

import { z } from "zod";
import type { StateClient } from "../../core/backend/state-client.ts";
import { idField, listItems, listParameters, listResult } from "../../core/tools/fields.ts";
import { moduleSchema, moduleView, wholeModule } from "../toolkit/columns.ts";
import { pageOf } from "../toolkit/list-page.ts";
import { itemMeant, unknownModule } from "../toolkit/lookup.ts";
import { nearestModule } from "../toolkit/meaning.ts";
import { defineTool, READ_ONLY } from "../../core/tools/tool.ts";

const getUser = defineTool({
  name: "mkt_get_user",
  title: "Get a user",
  description: "Gives one user: name, entity, permissions, and whether the user is connected. Needs no connection.",
  input: z.strictObject({ userId: idField("Directory object id") }),
  output: () => moduleSchema("USER", ["name", "entityId", "connected"]),
  annotations: READ_ONLY,
  handler: async ({ userId }, { backend, signal }) =>
    wholeModule(itemMeant("USER", await backend.users(signal), userId)),
});

const listUsers = defineTool({
  name: "mkt_list_users",
  title: "List users",
  description: "Lists users with their permissions. Needs no connection. Next: mkt_connect_pubsub with a userId.",
  input: z.strictObject({
    entityId: idField("Only of this entity").optional(),
    ...listParameters(),
  }),
  output: () => z.looseObject({ ...listResult, users: listItems }),
  annotations: READ_ONLY,
  handler: async ({ entityId, fields, ...page }, { backend, snapshot, signal }) => {
    const view = moduleView("USER", fields, snapshot);
    const all = await backend.users(signal);
    const matching = entityId === undefined ? all : all.filter((user) => user.entityId === entityId);
    if (entityId !== undefined && matching.length === 0) await checkEntityKnown(entityId, backend, signal);
    const request = { ...page, list: "mkt_list_users", filters: { entityId } };
    const { items, ...list } = pageOf(matching, ({ id }) => id, request);
    return { count: items.length, ...list, users: items.map(view) };
  },
});

/** Tells an entity without users from an unknown one. Throws ToolError `not_found`. */
async function checkEntityKnown(entityId: string, backend: StateClient, signal: AbortSignal): Promise<void> {
  const entities = await backend.entities(signal);
  if (entities.some(({ id }) => id === entityId)) return;
  throw unknownModule("ENTITY", entityId, nearestModule(entityId, entities));
}

export default [getUser, listUsers];
