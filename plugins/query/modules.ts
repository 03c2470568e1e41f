// The module types: their properties and relations, derived from their declarations.

import { z } from "zod";
import { noteField } from "../../core/tools/fields.ts";
import { defineTool, READ_ONLY } from "../../core/tools/tool.ts";
import type { Property, PropertyGroup } from "../../protocol/modules/property.ts";
import { isModuleType, MODULE_TYPES, moduleDeclaration, type ModuleType } from "../../protocol/modules/registry.ts";
import { BUY } from "../../protocol/sides.ts";
import { operatorsFor } from "../../core/market/filter.ts";
import { propertiesOf } from "../../core/market/module-properties.ts";
import { SIDES } from "../toolkit/sides.ts";

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
  const chosen = [...propertiesOf(moduleType)].filter(([, { filterable }]) => filterable || !filterableOnly);
  const ofGroup = (group: PropertyGroup) =>
    chosen.filter(([, property]) => property.group === group).map(([name, property]) => describe(name, property));
  return { moduleType, specs: ofGroup("specs"), state: ofGroup("state"), note: NOTE };
}

function describe(name: string, property: Property) {
  const { type, unit, filterable, nullable } = property;
  const { values, description } = shownSide(property);
  return {
    name,
    type: values === SIDES ? "string" : type,
    ...(unit === undefined ? {} : { unit }),
    ...(values === undefined ? {} : { values: [...values] }),
    filterable,
    nullable,
    description,
    // Empty if the property is not filterable.
    operators: [...operatorsFor(property)],
  };
}

/** A side is shown as BUY or SELL, whatever its number. */
function shownSide(property: Property): Pick<Property, "values" | "description"> {
  if (property.values?.[0] !== BUY) return property;
  return { values: SIDES, description: `${property.description}. Shown as BUY or SELL; filters take the numbers, too` };
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
  handler: ({ moduleType }) => ({ modules: (moduleType === undefined ? MODULE_TYPES : [moduleType]).map(relationsOf) }),
});

/** Its parent and children. */
function relationsOf(type: ModuleType) {
  const { parent } = moduleDeclaration(type);
  const children = MODULE_TYPES.flatMap((candidate) => {
    const link = moduleDeclaration(candidate).parent;
    return link?.type === type ? [{ moduleType: candidate, foreignKey: link.foreignKey }] : [];
  });
  return {
    moduleType: type,
    parent: parent?.type ?? null,
    // Of the property that holds the parent's id; null for a root.
    foreignKey: parent?.foreignKey ?? null,
    children,
    // From the root to the type itself.
    path: pathTo(type),
  };
}

function pathTo(type: ModuleType): ModuleType[] {
  const { parent } = moduleDeclaration(type);
  return parent !== null && isModuleType(parent.type) ? [...pathTo(parent.type), type] : [type];
}

export default [getModuleSchema, getModuleHierarchy];
