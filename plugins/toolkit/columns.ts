// How a module is shown: which of its properties, with sides as BUY and SELL.
//
// A list shows the columns below unless the caller names others in `fields`. A column that another one determines (an order's
// engine, by its contract) is left out. 100 items of any type take at most 20,000 bytes, so about 190 for an item.

import { z } from "zod";
import { propertiesOf, propertyReader } from "../../core/market/module-properties.ts";
import type { SnapshotReader } from "../../core/market/snapshot-reader.ts";
import { ToolError } from "../../core/error.ts";
import type { AnyModuleData, ModuleType } from "../../protocol/modules/registry.ts";
import type { Property } from "../../protocol/modules/property.ts";
import { nameSides, withSideNames } from "./sides.ts";

const DEFAULT_COLUMNS: Readonly<Record<ModuleType, readonly string[]>> = {
  MARKET: ["name", "status", "haltReason", "preopen", "open", "close", "timezone", "nodes"],
  PRODUCT: ["name", "code", "type", "node", "contractSpecification"],
  CONTRACT: ["deliveryStart", "status", "bestBid", "bestAsk", "lastPrice", "volume"],
  ENGINE: ["contractId", "bestBid", "bestAsk", "lastPrice", "tradedQuantity"],
  QUEUE: ["contractId", "length", "lastUpdate"],
  ORDER: ["contractId", "entityId", "side", "price", "quantity", "filledQuantity", "status", "closeReason"],
  FILL: ["orderId", "contractId", "entityId", "counterpartyId", "side", "price", "quantity"],
  TRADE: ["contractId", "buyEntityId", "sellEntityId", "price", "quantity", "time"],
  ENTITY: ["name", "code", "userIds", "creditStatus"],
  USER: ["name", "entityId", "permissions", "connected"],
  CREDIT: ["entityId", "counterpartyId", "tradable", "documentation", "counterpartyDocumentation"],
};

/** Users that a list shows of each entity, and that the answer about a single entity shows. */
const USERS_IN_LIST = 5;
const USERS_OF_ONE = 200;

/** In `fields`: every property. */
const ALL = "all";

export type ShownModule = { id: string } & Record<string, unknown>;
type ModuleView = (module: object) => ShownModule;

/** Shows modules with the columns in `fields`, or the default ones. Throws ToolError `invalid_input` for an unknown name. */
export function moduleView(
  type: ModuleType,
  fields: readonly string[] | undefined,
  snapshot: Pick<SnapshotReader, "get">,
): ModuleView {
  const properties = propertiesOf(type);
  const read = propertyReader(type, snapshot);
  if (fields?.includes(ALL)) return (module) => whole(module as AnyModuleData, [...properties.keys()], read);
  const columns = fields ?? DEFAULT_COLUMNS[type];
  const unknown = columns.find((name) => !properties.has(name));
  if (unknown !== undefined) throw unknownColumn(type, unknown, properties);
  return (module) => chosen(module as AnyModuleData, columns, read);
}

/** A whole module, as the tools for a single one give it. */
export function wholeModule(module: object): ShownModule {
  return withFewUsers(withSideNames(module as AnyModuleData) as ShownModule, USERS_OF_ONE);
}

/** An entity may have thousands of users: `usersLeftOut` counts those that are not shown. mkt_list_users lists all. */
function withFewUsers(shown: ShownModule, most: number): ShownModule {
  const { userIds } = shown;
  if (!Array.isArray(userIds) || userIds.length <= most) return shown;
  return { ...shown, userIds: userIds.slice(0, most), usersLeftOut: userIds.length - most };
}

type Read = ReturnType<typeof propertyReader>;

function whole(module: AnyModuleData, names: readonly string[], read: Read): ShownModule {
  const joined = names.filter((name) => !Object.hasOwn(module, name)).map((name) => [name, read(module, name)]);
  const given = joined.filter(([, value]) => value !== undefined);
  return withFewUsers(
    wholeModule({ ...module, ...Object.fromEntries(given) as Record<string, unknown> }),
    USERS_IN_LIST,
  );
}

function chosen(module: AnyModuleData, columns: readonly string[], read: Read): ShownModule {
  const shown: ShownModule = { id: module.id };
  for (const name of columns) shown[name] = read(module, name);
  return withFewUsers(nameSides(shown) as ShownModule, USERS_IN_LIST);
}

function unknownColumn(type: ModuleType, name: string, properties: ReadonlyMap<string, unknown>): ToolError {
  return new ToolError(
    "invalid_input",
    `fields: ${JSON.stringify(name)} is not a property of ${type}.`,
    `Choose from ${[...properties.keys()].join(", ")}, or ["${ALL}"].`,
  );
}

/**
 * The schema of a shown module, with all properties of the type. `always`: names of properties that are always present,
 * besides `id`.
 */
export function moduleSchema(type: ModuleType, always: readonly string[] = []): z.ZodObject {
  const shape: Record<string, z.ZodType> = {};
  for (const [name, property] of propertiesOf(type)) {
    const schema = columnSchema(property);
    shape[name] = name === "id" || always.includes(name) ? schema : schema.optional();
  }
  return z.looseObject(shape);
}

/** The plain type, without the values of an enumeration: mkt_get_module_schema gives them. */
function columnSchema({ type, values, nullable, unit }: Property): z.ZodType {
  const plain = values === undefined ? PLAIN_TYPES[type]() : z.string();
  const schema = nullable ? plain.nullable() : plain;
  return unit === undefined ? schema : schema.describe(unit);
}

const PLAIN_TYPES: Readonly<Record<Property["type"], () => z.ZodType>> = {
  string: z.string,
  number: z.number,
  boolean: z.boolean,
  time: z.string,
  array: () => z.array(z.string()),
  object: () => z.looseObject({}),
};
