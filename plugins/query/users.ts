// Users, over HTTP, so they can be read without a market connection.

import { z } from "zod";
import { idField, listItems, listParameters, listResult } from "../../core/tools/fields.ts";
import { moduleSchema, moduleView, wholeModule } from "../toolkit/columns.ts";
import { pageOf } from "../toolkit/list-page.ts";
import type { ToolContext } from "../../core/tools/context.ts";
import { defineTool, READ_ONLY } from "../../core/tools/tool.ts";
import { partNote, partyMeant } from "./party-view.ts";

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
  handler: async ({ entityId: named, fields, ...page }, context) => {
    const view = moduleView("USER", fields, context.snapshot);
    const seen = await context.backend.users(context.signal);
    const isOfNamed = seen.some((user) => user.entityId === named);
    const entityId = named === undefined || isOfNamed ? named : await entityMeant(named, context);
    const matching = entityId === undefined ? seen : seen.filter((user) => user.entityId === entityId);
    const request = { ...page, list: "mkt_list_users", filters: { entityId } };
    const { items, ...list } = pageOf(matching, ({ id }) => id, request);
    return { count: items.length, ...list, ...await partNote(seen, context), users: items.map(view) };
  },
});

/** The id of an entity without users, or that another form of it means. Throws ToolError `not_found`. */
async function entityMeant(named: string, context: ToolContext): Promise<string> {
  return (await partyMeant("ENTITY", await context.backend.entities(context.signal), named, context)).id;
}

export default [getUser, listUsers];
