// How tools write and read a side: BUY or SELL. Modules and events of the protocol hold 0 for buy and 1 for sell, and a
// caller may give those numbers, too.

import { z } from "zod";
import { BUY, SELL } from "../../protocol/sides.ts";

export const SIDES = ["BUY", "SELL"] as const;

/** Fields of modules, events and audit details that hold a side. */
const SIDE_FIELDS = ["side", "aggressorSide"] as const;

/** A parameter that takes BUY, SELL, 0 or 1. Its JSON Schema names BUY and SELL only. */
export const sideField = z.preprocess(sideNameOf, z.enum(SIDES));

/** BUY or SELL for 0 or 1; any other value unchanged. */
export function sideNameOf(value: unknown): unknown {
  if (value === BUY) return "BUY";
  return value === SELL ? "SELL" : value;
}

/** A copy of flat data in which sides read BUY or SELL. */
export function withSideNames(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return nameSides({ ...data });
}

/** Changes the sides in an object of the caller's own, and returns it. */
export function nameSides(data: Record<string, unknown>): Record<string, unknown> {
  for (const field of SIDE_FIELDS) {
    if (typeof data[field] === "number") data[field] = sideNameOf(data[field]);
  }
  return data;
}
