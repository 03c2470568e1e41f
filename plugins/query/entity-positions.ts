// The positions of an entity in mkt_get_entity: a page of its contracts, or of sums by day or hour of delivery, and totals.

import { z } from "zod";
import { contractPosition, type EntityPositions, positionTotals } from "../../protocol/index.ts";
import { ToolError } from "../../core/error.ts";
import type { ToolContext } from "../../core/tools/context.ts";
import type { ListRequest } from "../../core/tools/cursor.ts";
import { idField, listParameters, listResult } from "../../core/tools/fields.ts";
import { entityInScope } from "../toolkit/entity-scope.ts";
import { type Page, pageOf } from "../toolkit/list-page.ts";
import { daysNote, positionsIn, SUMS_BY, sumsBy, sumsOf } from "./delivery-days.ts";

/** A page of this many takes less than 12,000 bytes. */
export const POSITIONS_SHOWN = 30;
const HIDDEN_CREDIT = "creditUsed is null: the acting user lacks the permission Credit.View.";

const { limit, cursor, fields } = listParameters(POSITIONS_SHOWN);
export const positionParameters = {
  positions: z.boolean().describe("Also its positions").optional(),
  day: idField("Of deliveries that end then, losses first: yesterday, a date, a month").optional(),
  by: z.enum(SUMS_BY).describe("Sums by time of delivery").optional(),
  limit,
  cursor,
  fields,
};

const { contractId: _id, ...otherColumns } = contractPosition.shape;
const POSITION_COLUMNS = Object.keys(otherColumns);
const SUM_COLUMNS = Object.keys(sumsOf([]));

/** Present if positions were asked for. The description of the list gives the unit of each field. */
export const positionFields = z.looseObject({
  ...listResult,
  asOf: z.string(),
  positions: z.array(withoutUnits(contractPosition.shape)).describe(
    "MW, MWh, cents/MWh; cash, profits and creditUsed in dollars",
  ),
  sums: z.array(z.looseObject({})).describe("With by, in place of positions; hour null: longer deliveries"),
  totals: withoutUnits({
    contracts: z.int(),
    ...positionTotals.shape,
    settled: withoutUnits(positionTotals.shape.settled.shape),
  }),
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

export interface PositionsRequest extends Pick<ListRequest, "limit" | "cursor"> {
  readonly day?: string | undefined;
  readonly by?: (typeof SUMS_BY)[number] | undefined;
  readonly fields?: readonly string[] | undefined;
}

/**
 * Asks the backend, over HTTP. Throws ToolError `forbidden` for another entity without Scope.Global, `not_configured`
 * if the backend gives no positions, and `invalid_input`.
 */
export async function positionsShown(named: string, asked: PositionsRequest, context: ToolContext) {
  const { day, by } = asked;
  const entityId = entityInScope(named, context, "Market.View");
  const answer = await context.backend.positions(entityId, context.signal);
  if (answer === null) throw notOffered();
  const { asOf, totals } = answer;
  const positions = day === undefined ? answer.positions : positionsIn(day, answer.positions, Date.parse(asOf));
  const request = { ...asked, list: "mkt_get_entity", filters: { entityId, day, by } };
  const { items, ...list } = by === undefined
    ? pageOfRows(positions, ["contractId", ...POSITION_COLUMNS], request)
    : pageOfRows(sumsBy(by, positions), [by, ...SUM_COLUMNS], request);
  const notes = [
    ...(day === undefined ? [] : [daysNote(day, answer.positions, Date.parse(asOf))].filter(Boolean)),
    ...(totals.creditUsed === null && by === undefined ? [HIDDEN_CREDIT] : []),
    ...((day ?? by) !== undefined && totals.settled.contracts > 0 ? [settledNote(totals)] : []),
  ];
  return {
    count: items.length,
    ...list,
    asOf,
    ...(by === undefined ? { positions: items } : { sums: items }),
    totals: day === undefined ? totals : sumsOf(positions),
    ...(notes.length > 0 && { note: notes.join(" ") }),
  };
}

type Row = Readonly<Record<string, unknown>>;

/** A page of rows. `columns`: all there are; the first names a row. Throws ToolError `invalid_input`. */
function pageOfRows(
  rows: readonly object[],
  columns: readonly [key: string, ...string[]],
  request: ListRequest & Pick<PositionsRequest, "fields">,
): Page<Row> {
  const [key] = columns;
  const show = rowView(columns, request.fields);
  const page = pageOf(rows as readonly Row[], (row) => String(row[key]), request);
  return { ...page, items: page.items.map(show) };
}

/** Delivery times are those of the contract's module: only `fields` shows them. */
function rowView(columns: readonly [key: string, ...string[]], fields: readonly string[] | undefined) {
  if (fields === undefined) {
    return ({ deliveryStart: _start, deliveryEnd: _end, timezone: _zone, ...shown }: Row): Row => shown;
  }
  if (fields.includes("all")) return (row: Row): Row => row;
  const unknown = fields.find((name) => !columns.includes(name));
  if (unknown !== undefined) {
    throw new ToolError(
      "invalid_input",
      `fields: ${JSON.stringify(unknown)} is not one of these columns.`,
      `Choose from ${columns.join(", ")}, or ["all"].`,
    );
  }
  return (row: Row): Row => Object.fromEntries([columns[0], ...fields].map((name) => [name, row[name]]));
}

function settledNote({ settled: { contracts, profit } }: EntityPositions["totals"]): string {
  return `${contracts} more contracts were settled and have left the market: their profit of ${profit} dollars is in no day.`;
}

function notOffered(): ToolError {
  return new ToolError(
    "not_configured",
    "The backend gives no positions: it has no such route.",
    "Add up the fills of mkt_list_fills, as far as the backend still has them.",
  );
}
