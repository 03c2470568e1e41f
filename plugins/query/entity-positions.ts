// The positions of an entity in mkt_get_entity: a page of its contracts, and totals over all of them.

import { z } from "zod";
import { contractPosition, type EntityPositions, positionTotals } from "../../protocol/index.ts";
import { ToolError } from "../../core/error.ts";
import type { ToolContext } from "../../core/tools/context.ts";
import type { ListRequest } from "../../core/tools/cursor.ts";
import { listParameters, listResult } from "../../core/tools/fields.ts";
import { entityInScope } from "../toolkit/entity-scope.ts";
import { pageOf } from "../toolkit/list-page.ts";

/** A page of this many takes less than 12,000 bytes. */
export const POSITIONS_SHOWN = 30;
const HIDDEN_CREDIT = "creditUsed is null: the acting user lacks the permission Credit.View.";

const { limit, cursor } = listParameters(POSITIONS_SHOWN);
export const positionParameters = { positions: z.boolean().describe("Also its positions").optional(), limit, cursor };

/** A contract's delivery times are those of its module. */
const { deliveryStart: _start, deliveryEnd: _end, ...shownFields } = contractPosition.shape;

/** Present if positions were asked for. The description of the list gives the unit of each field. */
export const positionFields = z.looseObject({
  ...listResult,
  asOf: z.string(),
  positions: z.array(withoutUnits(shownFields)).describe(
    "MW, MWh, cents/MWh; cash, profits and creditUsed in dollars",
  ),
  totals: withoutUnits({ ...positionTotals.shape, settled: withoutUnits(positionTotals.shape.settled.shape) }),
  note: z.string(),
}).partial().shape;

/** Declares each field with its type alone. */
function withoutUnits(shape: z.ZodRawShape): z.ZodObject {
  const fields = Object.entries(shape).map(([name, described]) => {
    const schema = described as z.ZodType;
    // The copy has no description.
    return [name, schema.clone(schema.def).optional()];
  });
  return z.looseObject(Object.fromEntries(fields));
}

export type PageRequest = Pick<ListRequest, "limit" | "cursor">;

/**
 * Asks the backend, over HTTP. Throws ToolError `forbidden` for another entity without Scope.Global, and `not_configured`
 * if the backend gives no positions.
 */
export async function positionsShown(named: string, page: PageRequest, context: ToolContext) {
  const entityId = entityInScope(named, context, "Market.View");
  const answer = await context.backend.positions(entityId, context.signal);
  if (answer === null) throw notOffered();
  const request = { ...page, list: "mkt_get_entity", filters: { entityId } };
  const { items, ...list } = pageOf(answer.positions, ({ contractId }) => contractId, request);
  return {
    count: items.length,
    ...list,
    asOf: answer.asOf,
    positions: items.map(positionShown),
    totals: answer.totals,
    ...(answer.totals.creditUsed === null && { note: HIDDEN_CREDIT }),
  };
}

function positionShown({ deliveryStart: _start, deliveryEnd: _end, ...shown }: EntityPositions["positions"][number]) {
  return shown;
}

function notOffered(): ToolError {
  return new ToolError(
    "not_configured",
    "The backend gives no positions: it has no such route.",
    "Add up the fills of mkt_list_fills, as far as the backend still has them.",
  );
}
