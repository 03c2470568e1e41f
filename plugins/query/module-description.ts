// Results of mkt_get_module_schema and mkt_get_module_hierarchy, derived from the module declarations. The types are
// type aliases, because zod accepts no interface as a loose object.

import { type FilterOperator, operatorsFor } from "../../core/market/filter.ts";
import { propertiesOf } from "../../core/market/module-properties.ts";
import type { Property, PropertyGroup, PropertyType } from "../../protocol/modules/property.ts";
import { SIDES } from "../toolkit/sides.ts";
import { isModuleType, MODULE_TYPES, moduleDeclaration, type ModuleType } from "../../protocol/modules/registry.ts";
import { BUY } from "../../protocol/sides.ts";

type PropertyDescription = {
  readonly name: string;
  readonly type: PropertyType;
  readonly unit?: string;
  /** The values of an enumeration. */
  readonly values?: (string | number)[];
  readonly filterable: boolean;
  readonly nullable: boolean;
  readonly description: string;
  /** Empty if the property is not filterable. */
  readonly operators: FilterOperator[];
};

type ModuleDescription = {
  readonly moduleType: ModuleType;
  readonly specs: PropertyDescription[];
  readonly state: PropertyDescription[];
};

type ModuleRelations = {
  readonly moduleType: ModuleType;
  readonly parent: string | null;
  /** The property that holds the parent's id; null for a root. */
  readonly foreignKey: string | null;
  readonly children: { moduleType: ModuleType; foreignKey: string }[];
  /** From the root to the type itself. */
  readonly path: ModuleType[];
};

export function describeModule(type: ModuleType, { filterableOnly = false } = {}): ModuleDescription {
  const properties = [...propertiesOf(type)].filter(([, { filterable }]) => filterable || !filterableOnly);
  const ofGroup = (group: PropertyGroup) =>
    properties.filter(([, property]) => property.group === group).map(([name, property]) => describe(name, property));
  return { moduleType: type, specs: ofGroup("specs"), state: ofGroup("state") };
}

function describe(name: string, property: Property): PropertyDescription {
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
    operators: [...operatorsFor(property)],
  };
}

/** A side is shown as BUY or SELL, whatever its number. */
function shownSide(property: Property): Pick<Property, "values" | "description"> {
  if (property.values?.[0] !== BUY) return property;
  return { values: SIDES, description: `${property.description}. Shown as BUY or SELL; filters take the numbers, too` };
}

/** Parents and children of one module type, or of all types in the order of their declaration. */
export function describeHierarchy(type?: ModuleType): ModuleRelations[] {
  return (type === undefined ? MODULE_TYPES : [type]).map(relationsOf);
}

function relationsOf(type: ModuleType): ModuleRelations {
  const { parent } = moduleDeclaration(type);
  const children = MODULE_TYPES.flatMap((candidate) => {
    const link = moduleDeclaration(candidate).parent;
    return link?.type === type ? [{ moduleType: candidate, foreignKey: link.foreignKey }] : [];
  });
  return {
    moduleType: type,
    parent: parent?.type ?? null,
    foreignKey: parent?.foreignKey ?? null,
    children,
    path: pathTo(type),
  };
}

function pathTo(type: ModuleType): ModuleType[] {
  const { parent } = moduleDeclaration(type);
  return parent !== null && isModuleType(parent.type) ? [...pathTo(parent.type), type] : [type];
}
