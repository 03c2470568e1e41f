// Fields that parameters and results of several packs share. Every one is bounded: what a client sends is at most this
// long or this large before anything looks at it.

import { z } from "zod";
import { moduleSchema, type ModuleType } from "../../protocol/modules/registry.ts";

/** Greatest `limit` where the specification names none. */
export const MAXIMUM_LIMIT = 1000;

export const noParameters = z.strictObject({});

/** Fields whose values name something and hold no secret: the call log keeps them. */
export const identifiers = z.registry<Record<never, never>>();

/** An opaque id of 1 to 200 characters. */
export function idField(description: string, longest = 200) {
  return z.string().min(1).max(longest).describe(description).register(identifiers, {});
}

/** Of every tool that sends a request: what the request is known by at the backend, for each acting user. */
export const idempotencyKeyField = idField(
  "Your own id of this request, up to 200 characters. Repeating a call with the same key within 24 hours gives the first " +
    "outcome, also after a timeout, and does nothing twice; with other arguments it is refused. Absent: every call is new",
);

/** Free text of at most 1000 characters. */
export function textField(description: string) {
  return z.string().max(1000).describe(description);
}

/** How many items are returned at most. */
export function limitField(fallback: number, maximum = MAXIMUM_LIMIT) {
  return z.int().min(1).max(maximum).default(fallback).describe(
    `Items returned at most: 1 to ${maximum}, ${fallback} where absent`,
  );
}

/** Types of events, 1 to 50 of them. */
export function eventTypesField(description: string) {
  return z.array(idField("Event type, such as new.order")).min(1).max(50).describe(description);
}

/** The event number from which polling goes on. */
export const sinceField = z.int().min(0).describe(
  "latestSequence of the previous answer: only newer events, oldest first. Absent: the newest events",
);

export const countField = z.int().describe("Number of items returned");
export const totalField = z.int().describe("Number of items that matched, returned or not");

/** The data of one module as a result: loose, every property described with its unit. */
export function moduleObject(type: ModuleType): z.ZodObject {
  const schema: z.ZodType = moduleSchema(type);
  if (!(schema instanceof z.ZodObject)) throw new Error(`the schema of ${type} is no object`);
  return schema;
}
