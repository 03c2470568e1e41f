// The module types: their properties and relations.

import { z } from "zod";
import { noteField } from "../../core/tools/fields.ts";
import { defineTool, READ_ONLY } from "../../core/tools/tool.ts";
import { MODULE_TYPES, type ModuleType } from "../../protocol/modules/registry.ts";
import { describeHierarchy, describeModule } from "./module-description.ts";

/** The parameter that names a module type. Lower case is accepted. */
export const moduleTypeField = z.preprocess(
  (value) => typeof value === "string" ? value.toUpperCase() : value,
  z.enum(MODULE_TYPES),
);

const properties = z.array(z.looseObject({
  name: z.string(),
  type: z.string(),
  unit: z.string().optional(),
  values: z.array(z.union([z.string(), z.number()])).optional(),
  filterable: z.boolean(),
  nullable: z.boolean(),
  description: z.string(),
  operators: z.array(z.string()),
})).optional();

const NOTE =
  "These are the names for filters, fields and sort. A filter on a time takes a time with Z or an offset; without one it is " +
  "in the market's time zone, and may be a date, a month (2030-01, January 2030), a year, today or tomorrow.";

const getModuleSchema = defineTool({
  name: "mkt_get_module_schema",
  title: "Module schema",
  description: "Gives the properties of a module type, with units and the operators for filters. Needs no connection.",
  input: z.strictObject({
    moduleType: moduleTypeField.describe("Absent: lists the module types").optional(),
    filterableOnly: z.boolean().default(false).describe("Only filterable ones"),
  }),
  output: () =>
    z.looseObject({
      moduleTypes: z.array(z.string()).optional(),
      moduleType: z.string().optional(),
      specs: properties,
      state: properties,
      note: noteField,
    }),
  annotations: { ...READ_ONLY, openWorldHint: false },
  handler: ({ moduleType, filterableOnly }) =>
    moduleType === undefined ? allModuleTypes() : moduleTypeSchema(moduleType, { filterableOnly }),
});

export function allModuleTypes() {
  return { moduleTypes: [...MODULE_TYPES] };
}

export function moduleTypeSchema(moduleType: ModuleType, { filterableOnly = false } = {}) {
  return { ...describeModule(moduleType, { filterableOnly }), note: NOTE };
}

const getModuleHierarchy = defineTool({
  name: "mkt_get_module_hierarchy",
  title: "Module hierarchy",
  description:
    "Gives the parent and children of a module type, with their foreign keys, for filters. Needs no connection.",
  input: z.strictObject({
    moduleType: moduleTypeField.describe("Absent: the full tree").optional(),
  }),
  output: () =>
    z.looseObject({
      modules: z.array(z.looseObject({
        moduleType: z.string(),
        parent: z.string().nullable(),
        foreignKey: z.string().nullable(),
        children: z.array(z.looseObject({ moduleType: z.string(), foreignKey: z.string() })),
        path: z.array(z.string()),
      })),
    }),
  annotations: { ...READ_ONLY, openWorldHint: false },
  handler: ({ moduleType }) => ({ modules: describeHierarchy(moduleType) }),
});

export default [getModuleSchema, getModuleHierarchy];
