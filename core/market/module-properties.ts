// The properties of each module type as tools show and filter them: `id`, the declared ones, and joined ones.
//
// A joined property is read from another module when it is asked for, so the backend sends it once. Example: the prices of a
// contract are properties of its engine. Cost of reading one: O(1).

import { MODULE_TYPES, moduleDeclaration, MODULES, type ModuleType } from "../../protocol/modules/registry.ts";
import type { AnyModuleData, ModuleData } from "../../protocol/modules/registry.ts";
import { type Property, specs } from "../../protocol/modules/property.ts";
import type { SnapshotReader } from "./snapshot-reader.ts";

/** Every module has an id besides its declared properties. */
const ID_PROPERTY: Property = specs.string("Identifier, unique within the module type");

/** Properties of a contract by the property of its engine. */
const CONTRACT_PRICES = {
  bestBid: "bestBid",
  bestAsk: "bestAsk",
  lastPrice: "lastPrice",
  volume: "tradedQuantity",
} as const satisfies Record<string, keyof ModuleData<"ENGINE">>;

const PROPERTIES = new Map(MODULE_TYPES.map((type) => [
  type,
  new Map<string, Property>([
    ["id", ID_PROPERTY],
    ...Object.entries(moduleDeclaration(type).properties),
    ...(type === "CONTRACT" ? joinedProperties() : []),
  ]),
]));

/** Every property of a module type by name, `id` first. */
export function propertiesOf(type: ModuleType): ReadonlyMap<string, Property> {
  return PROPERTIES.get(type)!;
}

/** Reads a property of a module of the type, joined or not. */
export function propertyReader(
  type: ModuleType,
  snapshot: Pick<SnapshotReader, "get">,
): (module: AnyModuleData, name: string) => unknown {
  if (type !== "CONTRACT") return (module, name) => module[name];
  return (contract, name) => {
    if (!isJoined(type, name)) return contract[name];
    return snapshot.get("ENGINE", String(contract["engineId"]))?.[CONTRACT_PRICES[name]] ?? null;
  };
}

export function isJoined(type: ModuleType, name: string): name is keyof typeof CONTRACT_PRICES {
  return type === "CONTRACT" && Object.hasOwn(CONTRACT_PRICES, name);
}

function joinedProperties(): [string, Property][] {
  return Object.entries(CONTRACT_PRICES).map(([name, source]) => [name, MODULES.ENGINE.properties[source]]);
}
