// The checkpoints of format 4, and of the first programs that wrote format 5, as the last one of format 5 wrote them. The
// names of things changed three times within format 5, so each part says by its form what it is:
//
//   - format 4 and the first of format 5: a part for each kind of state, with arrays in another order
//   - then parts with items, each with the name of its section
//   - then parts with sections (sections.ts), which stayed
//
// Records and operations: what is "rejected" was called "refused".

import { type JsonObject, NotUpgradable } from "./journal-content.ts";
import type { SavedSection } from "./sections.ts";

type Items = readonly unknown[];

/** Parts with one kind of items. */
const LISTS: Readonly<Record<string, string>> = {
  trades: "trades",
  fills: "fills",
  usage: "usage",
  positions: "positions",
};

export function* withSections(parts: Iterable<JsonObject>): Generator<JsonObject, void, undefined> {
  for (const part of parts) {
    const kind = part["kind"] as string;
    if (kind === "refusedOperations") yield { ...part, kind: "rejectedOperations" };
    else if (kind === "orders") yield state([["orders", (part["orders"] as Items).map(savedOrder)]]);
    else if (LISTS[kind] !== undefined) yield state([[LISTS[kind], part[kind] as Items]]);
    else if (kind !== "state" || "sections" in part) yield part;
    else if ("items" in part) yield state(grouped(part["items"] as readonly (readonly [string, unknown])[]));
    else yield state(sectionsOf(part));
  }
}

export function withoutRefusals(record: JsonObject): JsonObject {
  return record["kind"] === "refused" ? { ...record, kind: "rejected" } : record;
}

function state(sections: readonly SavedSection[]): JsonObject {
  return { kind: "state", sections };
}

/** Each item has the name of its section. */
function grouped(items: readonly (readonly [string, unknown])[]): SavedSection[] {
  const sections: [string, unknown[]][] = [];
  for (const [section, item] of items) {
    const name = section === "refusals" ? "rejections" : section;
    const last = sections.at(-1);
    if (last?.[0] === name) last[1].push(item);
    else sections.push([name, [item]]);
  }
  return sections;
}

/** The part with all state whose size the definition gives. */
function sectionsOf(part: JsonObject): SavedSection[] {
  const {
    epoch,
    sequence,
    now,
    counters,
    markets,
    listings,
    contracts,
    creditStatus,
    connectedUsers,
    refusals,
    pairs,
  } = part;
  if (epoch === undefined || listings === undefined || refusals === undefined) {
    throw new NotUpgradable("its checkpoint was written by a program between two formats");
  }
  return [
    ["numbers", [{ epoch, sequence, now, counters }]],
    ["markets", [markets]],
    ["listings", [listings]],
    [
      "contracts",
      (contracts as readonly JsonObject[]).map(({ figures, ...contract }) => ({
        ...contract,
        ...figures as JsonObject,
      })),
    ],
    ["parties", [{ creditStatus, connectedUsers }]],
    ["rejections", refusals as Items],
    ["pairs", [pairs]],
  ];
}

function savedOrder(order: unknown): unknown[] {
  const [key, clientOrderId, contract, party, userId, side, timeInForce, createdAt, ...changing] = order as unknown[];
  const [price, quantity, filledQuantity, filledValue, priority, status, closeReason, updatedAt, ...bound] = changing;
  const [filledNotional, maxNotional] = bound;
  if (filledNotional === undefined) throw new NotUpgradable("its orders were written by a program between two formats");
  const fixed = [key, clientOrderId, userId, side, timeInForce, createdAt];
  const rest = [price, quantity, filledQuantity, priority, status, closeReason, updatedAt];
  return [contract, party, filledValue, filledNotional, maxNotional ?? null, ...fixed, ...rest];
}
