// The module types, their relations, and finding modules of any type by their properties.

import { z } from "zod";
import { describeHierarchy, describeModule } from "./module-description.ts";
import { compileFilters, FILTER_OPERATORS } from "../../core/market/filter.ts";
import { MAX_ID_LENGTH, MAX_TEXT_LENGTH } from "../../protocol/limits.ts";
import { MODULE_TYPES } from "../../protocol/modules/registry.ts";
import { listParameters, listResult } from "../../core/tools/fields.ts";
import { moduleView } from "../toolkit/columns.ts";
import { pageOfModules } from "../toolkit/list-page.ts";
import { checkNamedModules } from "../toolkit/named-modules.ts";
import { defineTool, READ_ONLY } from "../../core/tools/tool.ts";

const moduleType = z.enum(MODULE_TYPES);

const properties = (group: string) =>
  z.array(z.looseObject({
    name: z.string().describe("Property name, as in module data and filters"),
    type: z.string().describe("string, number, boolean, time, array or object"),
    unit: z.string().describe("Unit of a number").optional(),
    values: z.array(z.union([z.string(), z.number()])).describe("Values of an enumeration").optional(),
    filterable: z.boolean().describe("Whether mkt_find_modules can filter on it"),
    nullable: z.boolean().describe("Whether it may be null"),
    description: z.string().describe("Meaning of the property"),
    operators: z.array(z.enum(FILTER_OPERATORS)).describe("Filter operators that fit it"),
  })).describe(group);

const getModuleSchema = defineTool({
  name: "mkt_get_module_schema",
  title: "Module schema",
  description: "Gives the properties of a module type: type, unit, and filter operators for " +
    "mkt_find_modules. Without moduleType: the list of module types. Needs no connection.",
  input: z.strictObject({
    moduleType: moduleType.describe("Module type; lists all types if absent").optional(),
    filterableOnly: z.boolean().default(false).describe("Only filterable properties"),
  }),
  output: z.looseObject({
    moduleTypes: z.array(moduleType).describe("All module types; present if moduleType was absent").optional(),
    moduleType: moduleType.describe("The module type; present if it was given").optional(),
    specs: properties("Properties that are fixed when the module is created").optional(),
    state: properties("Properties that change later").optional(),
  }),
  annotations: { ...READ_ONLY, openWorldHint: false },
  handler: ({ moduleType, filterableOnly }) => {
    if (moduleType === undefined) return { moduleTypes: [...MODULE_TYPES] };
    return describeModule(moduleType, filterableOnly);
  },
});

const getModuleHierarchy = defineTool({
  name: "mkt_get_module_hierarchy",
  title: "Module hierarchy",
  description:
    "Gives the parent and the children of a module type with their foreign keys, which mkt_find_modules can filter " +
    "by. Without moduleType: those of all types. Needs no connection.",
  input: z.strictObject({
    moduleType: moduleType.describe("Module type; the full tree if absent").optional(),
  }),
  output: z.looseObject({
    modules: z.array(z.looseObject({
      moduleType: moduleType.describe("The module type"),
      parent: z.string().nullable().describe("Type of the parent; null for a root"),
      foreignKey: z.string().nullable().describe("Property that holds the parent's id; null for a root"),
      children: z.array(z.looseObject({
        moduleType: moduleType.describe("Type of the child"),
        foreignKey: z.string().describe("Property of the child that holds the id of its parent"),
      })).describe("Types whose parent is this type"),
      path: z.array(moduleType).describe("From the root to the type itself"),
    })).describe("The type that was given, or all types"),
  }),
  annotations: { ...READ_ONLY, openWorldHint: false },
  handler: ({ moduleType }) => ({ modules: describeHierarchy(moduleType) }),
});

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

const findModules = defineTool({
  name: "mkt_find_modules",
  title: "Find modules",
  description:
    "Finds modules of any type by their properties: contracts, trades, engines, queues, orders by price and so " +
    "on. A module must match all filters. Gives ids, and with includeData or fields modules, too. " +
    "Needs mkt_connect_pubsub. mkt_get_module_schema gives properties and operators.",
  input: z.strictObject({
    moduleType: moduleType.describe("Type of the modules to find"),
    filters: z.record(z.string().min(1).max(MAX_ID_LENGTH), filter).meta({ maxProperties: MAX_FILTERS }).refine(
      (filters) => Object.keys(filters).length <= MAX_FILTERS,
      `at most ${MAX_FILTERS} filters`,
    ).describe(
      'Filters by property name; each is a plain value (equality) or { "value": ..., "operator": ... } with eq, gt, lt, gte, lte, ' +
        "contains or in (then value is an array)",
    ).optional(),
    includeData: z.boolean().default(false).describe("Whether to give modules, too, and not ids alone"),
    ...listParameters(),
  }),
  output: z.looseObject({
    moduleType: moduleType.describe("Type of the modules"),
    total: listResult.total,
    returned: listResult.count,
    hasMore: listResult.hasMore,
    cursor: listResult.cursor,
    ids: z.array(z.string()).describe("Ids of the modules in this answer"),
    modules: z.array(z.looseObject({})).describe("The modules, if includeData is true or fields is given").optional(),
  }),
  annotations: READ_ONLY,
  requires: { connection: "read" },
  handler: ({ moduleType, filters = {}, includeData, fields, ...page }, { snapshot }) => {
    const view = moduleView(moduleType, fields, snapshot);
    const request = { ...page, list: "mkt_find_modules", filters: { moduleType, filters } };
    const query = compileFilters(moduleType, filters, { snapshot });
    const { items, total, hasMore, cursor } = pageOfModules(snapshot, moduleType, query, request);
    if (total === 0) checkNamedModules(snapshot, filters);
    const ids = items.map(({ id }) => id);
    const found = { moduleType, total, returned: ids.length, hasMore, cursor, ids };
    return includeData || fields !== undefined ? { ...found, modules: items.map(view) } : found;
  },
});

export default [getModuleSchema, getModuleHierarchy, findModules];
