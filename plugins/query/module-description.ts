// Results of mkt_get_module_schema and mkt_get_module_hierarchy, derived from the module declarations.

import { operatorsFor } from "../../core/market/filter.ts";
import { propertiesOf } from "../../core/market/module-properties.ts";
import type { Property, PropertyGroup } from "../../protocol/modules/property.ts";
import { SIDES } from "../toolkit/sides.ts";
import { isModuleType, MODULE_TYPES, moduleDeclaration, type ModuleType } from "../../protocol/modules/registry.ts";
import { BUY } from "../../protocol/sides.ts";

export function describeModule(type: ModuleType, { filterableOnly = false } = {}) {
  const properties = [...propertiesOf(type)].filter(([, { filterable }]) => filterable || !filterableOnly);
  const ofGroup = (group: PropertyGroup) =>
    properties.filter(([, property]) => property.group === group).map(([name, property]) => describe(name, property));
  return { moduleType: type, specs: ofGroup("specs"), state: ofGroup("state") };
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

/** Parents and children of one module type, or of all types in the order of their declaration. */
export function describeHierarchy(type?: ModuleType) {
  return (type === undefined ? MODULE_TYPES : [type]).map(relationsOf);
}

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
