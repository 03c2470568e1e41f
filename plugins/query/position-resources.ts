// The positions of an entity, as resources. mkt_get_entity with positions gives the same.
//
// The backend gives them over HTTP, so they are not from the snapshot and never stale. Their version is, and so they can only
// be followed with a connection. They depend on the entity's trades, on the marks (best prices, last prices, spot prices) of
// its contracts, and on deliveries. When a delivery ends, the credit that its trades used is free again. The version changes
// with any book, fill, contract, credit or spot price, because it is unknown here which contracts the entity has traded.

import { connectionVersion } from "../../core/resources/connection-version.ts";
import { defineResource } from "../../core/resources/resource.ts";
import type { ToolContext } from "../../core/tools/context.ts";
import { ToolError } from "../../core/error.ts";
import { checkRequirements } from "../../core/guardrails/requirements.ts";
import { entityIdsInScope } from "../toolkit/completions.ts";
import { entityInScope } from "../toolkit/entity-scope.ts";
import { entityWithPositions } from "./entities.ts";
import { POSITIONS_SHOWN } from "./entity-positions.ts";

const CONTENT =
  `net MW and MWh, cash, mark, profit and used credit, of at most ${POSITIONS_SHOWN} contracts and in all.`;

const ownPositions = defineResource({
  name: "own-positions",
  uri: "mkt://positions",
  title: "Positions of the own entity",
  description: `The acting user's entity: ${CONTENT} Needs mkt_connect_pubsub.`,
  annotations: { audience: ["user", "assistant"], priority: 0.9 },
  requires: { connection: "session" },
  version: (_, context) => versionOf(ownEntity(context), context),
  read: (_, context) => positionsOf(ownEntity(context), context),
});

const entityPositions = defineResource({
  name: "positions",
  uri: "mkt://positions/{entityId}",
  title: "Positions of an entity",
  description: `An entity: ${CONTENT} Other entities than your own need Scope.Global.`,
  parameters: { entityId: entityIdsInScope },
  version: ({ entityId = "" }, context) => {
    checkRequirements({ requires: { connection: "session" } }, context);
    return versionOf(entityId, context);
  },
  read: ({ entityId = "" }, context) => positionsOf(entityInScope(entityId, context, "Market.View"), context),
});

function positionsOf(entityId: string, context: ToolContext) {
  return entityWithPositions(entityId, { limit: POSITIONS_SHOWN }, context);
}

function versionOf(named: string, context: ToolContext): string {
  const { snapshot, events } = context;
  const entityId = entityInScope(named, context, "Market.View");
  const revisions = (["ENTITY", "FILL", "ENGINE", "CONTRACT", "CREDIT"] as const).map((type) =>
    snapshot.revision(type)
  );
  return [connectionVersion(context), entityId, events.epoch, events.newestOf("pricing"), ...revisions].join(" ");
}

function ownEntity({ pubsub: { session } }: ToolContext): string {
  if (session === null || session.entityId !== null) return session?.entityId ?? "";
  throw new ToolError(
    "not_found",
    `User ${session.userId} belongs to no entity, and so has no positions.`,
    "Read mkt://positions/{entityId} of an entity; mkt_list_entities gives the entities.",
  );
}

export default [ownPositions, entityPositions];
