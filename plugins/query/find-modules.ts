// Finding modules of any type by their properties. The one tool that is no strict function at OpenAI: the caller
// names its filters, which no strict schema can express.

import { z } from "zod";
import { boundSentences, compileFilters } from "../../core/market/filter.ts";
import type { FilterContext } from "../../core/market/filter-values.ts";
import type { SnapshotReader } from "../../core/market/snapshot-reader.ts";
import { idField, listItems, listParameters, listResult, noteField } from "../../core/tools/fields.ts";
import { defineTool, READ_ONLY } from "../../core/tools/tool.ts";
import { MAX_ID_LENGTH, MAX_TEXT_LENGTH } from "../../protocol/limits.ts";
import { moduleView } from "../toolkit/columns.ts";
import { pageOfModules } from "../toolkit/list-page.ts";
import { checkNamedModules } from "../toolkit/named-modules.ts";
import { sortedModules } from "./module-order.ts";
import { moduleTypeField } from "./modules.ts";
import { emptyListNote } from "./snapshot-list.ts";

/** Above the number of properties of any module type. */
const MAX_FILTERS = 100;

const plainValue = z.union([
  z.string().max(MAX_TEXT_LENGTH),
  z.number().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER),
  z.boolean(),
  z.null(),
]);
/** A property that is a list has lists as values. */
const valueOrValues = z.union([plainValue, z.array(z.union([plainValue, z.array(plainValue).max(100)])).max(1000)]);
/** Bounds the size of a filter. compileFilters checks which values and operators fit a property. */
const filter = z.union(
  [valueOrValues, z.record(z.string().max(MAX_ID_LENGTH), valueOrValues)],
  "must be a plain value (text of at most 1000 characters, a number, true, false, null, or an array of at most 1000 of " +
    "these) or { value, operator }",
);

const input = z.strictObject({
  moduleType: moduleTypeField.describe("In any case"),
  filters: z.record(z.string().min(1).max(MAX_ID_LENGTH), filter).meta({ maxProperties: MAX_FILTERS }).refine(
    (filters) => Object.keys(filters).length <= MAX_FILTERS,
    `at most ${MAX_FILTERS} filters`,
  ).describe(
    '{"name":value} or {"name":{"value":..,"operator":..}}, all must match; eq, gt, lt, gte, lte, contains, in (an array). ' +
      "A time may be a date, month, today, tomorrow at the market: all of it, gt after its end",
  ).optional(),
  includeData: z.boolean().default(false).describe("Not ids alone; fields implies it"),
  sort: idField("A property; -property is descending").optional(),
  ...listParameters(),
});

const findModules = defineTool({
  name: "mkt_find_modules",
  title: "Find modules",
  description:
    "Finds modules by properties (mkt_get_module_schema). Contracts also have bestBid, bestAsk, lastPrice (cents/MWh), volume (MW). " +
    'Tomorrow\'s cheapest hours: moduleType CONTRACT, filters {"hours":1,"deliveryStart":"tomorrow"}, sort bestAsk, includeData. ' +
    "Needs mkt_connect_pubsub; others' need Market.View, their credit Scope.Global.",
  input,
  output: () =>
    z.looseObject({
      moduleType: z.string(),
      total: listResult.total,
      returned: listResult.count,
      hasMore: listResult.hasMore,
      cursor: listResult.cursor,
      ids: z.array(z.string()),
      modules: listItems.optional(),
      note: noteField,
    }),
  annotations: READ_ONLY,
  requires: { connection: "read" },
  handler: (search, { snapshot, pubsub }) => {
    const context = { snapshot, now: pubsub.marketTime() };
    const { moduleType, filters = {} } = search;
    const found = foundModules(search, context);
    const { note } = found.total === 0 ? emptyListNote(moduleType, filters, context) : {};
    const notes = [...boundSentences(moduleType, filters, context), ...note === undefined ? [] : [note]];
    return { ...found, ...notes.length > 0 && { note: notes.join(" ") } };
  },
});

/**
 * A page of the modules that match, with the default columns if `fields` is absent. Throws ToolError
 * `invalid_filter`, `invalid_input` and `not_found`.
 */
export function foundModules(
  { moduleType, filters = {}, includeData, sort, fields, ...page }: z.output<typeof input>,
  context: FilterContext & { readonly snapshot: SnapshotReader },
) {
  const { snapshot } = context;
  const view = moduleView(moduleType, fields, snapshot);
  const query = compileFilters(moduleType, filters, context);
  const request = { ...page, list: "mkt_find_modules", filters: { moduleType, filters, sort } };
  const { items, total, hasMore, cursor } = sort === undefined
    ? pageOfModules(snapshot, moduleType, query, request)
    : sortedModules(snapshot, moduleType, query, { ...request, sort });
  if (total === 0) checkNamedModules(snapshot, filters);
  const ids = items.map(({ id }) => id);
  return {
    moduleType,
    total,
    returned: ids.length,
    hasMore,
    cursor,
    ids,
    ...(includeData || fields !== undefined) && { modules: items.map(view) },
  };
}

export default [findModules];
