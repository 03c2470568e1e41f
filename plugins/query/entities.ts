// Entities, over HTTP, so they can be read without a market connection.

import { z } from "zod";
import { idField, listItems, listParameters, listResult } from "../../core/tools/fields.ts";
import type { ToolContext } from "../../core/tools/context.ts";
import { ToolError } from "../../core/error.ts";
import type { ModuleData } from "../../protocol/modules/registry.ts";
import { partNote, partyMeant } from "./party-view.ts";
import { positionFields, positionParameters, type PositionsRequest, positionsShown } from "./entity-positions.ts";
import { moduleSchema, moduleView, wholeModule } from "../toolkit/columns.ts";
import { pageOf } from "../toolkit/list-page.ts";
import { viewUri } from "../toolkit/view-resource.ts";
import { defineTool, READ_ONLY } from "../../core/tools/tool.ts";

const getEntity = defineTool({
  name: "mkt_get_entity",
  title: "Get an entity",
  description:
    "Gives one entity; with positions, day, by or fields also net MW and MWh, cash, mark, profit and used credit, by " +
    "contract and in all. Positions need your own entityId (mkt_connect_pubsub) or Scope.Global, creditUsed " +
    "Credit.View. Needs no connection; others need Market.View.",
  input: z.strictObject({ entityId: idField("Entity id"), ...positionParameters }),
  output: () =>
    moduleSchema("ENTITY", ["name", "code", "userIds", "creditStatus"]).extend({
      usersLeftOut: z.int().optional().describe("Users besides userIds: mkt_list_users"),
      ...positionFields,
    }),
  annotations: READ_ONLY,
  view: viewUri("positions"),
  handler: async ({ entityId, positions, ...asked }, context) => {
    const { day, by, fields, cursor } = asked;
    if (positions ?? [day, by, fields].some((given) => given !== undefined)) {
      return await entityWithPositions(entityId, asked, context);
    }
    if (cursor !== undefined) throw cursorWithoutPositions();
    return wholeModule(await entityOf(entityId, context));
  },
});

/** Throws what `positionsShown` throws, and ToolError `not_found`. */
export async function entityWithPositions(entityId: string, asked: PositionsRequest, context: ToolContext) {
  const entity = await entityOf(entityId, context);
  return { ...wholeModule(entity), ...await positionsShown(entity.id, asked, context) };
}

async function entityOf(entityId: string, context: ToolContext): Promise<ModuleData<"ENTITY">> {
  return await partyMeant("ENTITY", await context.backend.entities(context.signal), entityId, context);
}

const listEntities = defineTool({
  name: "mkt_list_entities",
  title: "List entities",
  description:
    "Lists the trading entities with their users and credit status: your own without Market.View. Needs no connection.",
  input: z.strictObject(listParameters()),
  output: () =>
    z.looseObject({
      ...listResult,
      note: z.string().optional(),
      entities: listItems.describe("usersLeftOut: users besides userIds"),
    }),
  annotations: READ_ONLY,
  handler: async ({ fields, ...page }, context) => {
    const view = moduleView("ENTITY", fields, context.snapshot);
    const request = { ...page, list: "mkt_list_entities", filters: {} };
    const seen = await context.backend.entities(context.signal);
    const { items, ...list } = pageOf(seen, ({ id }) => id, request);
    return { count: items.length, ...list, ...await partNote(seen, context), entities: items.map(view) };
  },
});

function cursorWithoutPositions(): ToolError {
  return new ToolError("invalid_input", "cursor: only positions have pages.", "Give positions: true, or no cursor.");
}

export default [getEntity, listEntities];
