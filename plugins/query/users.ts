// Users, over HTTP, so they can be read without a market connection.

import { z } from "zod";
import { idField, listItems, listParameters, listResult } from "../../core/tools/fields.ts";
import { moduleSchema, moduleView, wholeModule } from "../toolkit/columns.ts";
import { pageOf } from "../toolkit/list-page.ts";
import { unknownModule } from "../toolkit/lookup.ts";
import { nearestModule } from "../toolkit/meaning.ts";
import type { ToolContext } from "../../core/tools/context.ts";
import { defineTool, READ_ONLY } from "../../core/tools/tool.ts";
import { partNote, partyMeant, unknownParty } from "./party-view.ts";

const getUser = defineTool({
  name: "mkt_get_user",
  title: "Get a user",
  description: "Gives one user: name, entity, permissions, and whether connected. Needs no connection; " +
    "others need Market.View.",
  input: z.strictObject({ userId: idField("Directory object id") }),
  output: () => moduleSchema("USER", ["name", "entityId", "connected"]),
  annotations: READ_ONLY,
  handler: async ({ userId }, context) =>
    wholeModule(await partyMeant("USER", await context.backend.users(context.signal), userId, context)),
});

const listUsers = defineTool({
  name: "mkt_list_users",
  title: "List users",
  description:
    "Lists users with their permissions: those of your entity without Market.View. Needs no connection. Next: " +
    "mkt_connect_pubsub with a userId.",
  input: z.strictObject({
    entityId: idField("Only of this entity").optional(),
    ...listParameters(),
  }),
  output: () => z.looseObject({ ...listResult, note: z.string().optional(), users: listItems }),
  annotations: READ_ONLY,
  handler: async ({ entityId, fields, ...page }, context) => {
    const view = moduleView("USER", fields, context.snapshot);
    const seen = await context.backend.users(context.signal);
    const matching = entityId === undefined ? seen : seen.filter((user) => user.entityId === entityId);
    if (entityId !== undefined && matching.length === 0) await checkEntityKnown(entityId, context);
    const request = { ...page, list: "mkt_list_users", filters: { entityId } };
    const { items, ...list } = pageOf(matching, ({ id }) => id, request);
    return { count: items.length, ...list, ...await partNote(seen, context), users: items.map(view) };
  },
});

/** Tells an entity without users from an unknown one. Throws ToolError `not_found`. */
async function checkEntityKnown(entityId: string, context: ToolContext): Promise<void> {
  const entities = await context.backend.entities(context.signal);
  if (entities.some(({ id }) => id === entityId)) return;
  const unknown = unknownModule("ENTITY", entityId, nearestModule(entityId, entities));
  throw await unknownParty(unknown, entities, context);
}

export default [getUser, listUsers];
