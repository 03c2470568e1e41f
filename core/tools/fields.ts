// Fields that the parameters and results of several packs share. Every field has a bound on its length or value.

import { z } from "zod";
import { MAX_SHOWN_LENGTH } from "../../common/safe-text.ts";
import { MAX_ID_LENGTH, MAX_TEXT_LENGTH } from "../../protocol/limits.ts";

/** Maximum `limit` of tools for which the specification sets none. */
const MAX_LIMIT = 1000;

export const noParameters = z.strictObject({});

/** Fields whose values are ids and never secrets, so the call log keeps them. */
export const identifiers = z.registry<Record<never, never>>();

/** An opaque id. */
export function idField(description: string, maxLength = MAX_ID_LENGTH) {
  return z.string().min(1).max(maxLength).describe(description).register(identifiers, {});
}

/**
 * For every tool that sends a request. The backend knows the request by this key, for each acting user, also after a
 * timeout. With other arguments the same key is refused. Without a key every call is a new request.
 */
export const idempotencyKeyField = idField(
  "Your id of this request: a repeat within 24 h only gives the first outcome",
);

export function textField(description: string) {
  return z.string().max(MAX_TEXT_LENGTH).describe(description);
}

/** The maximum number of items in a result. */
export function limitField(fallback: number, maximum = MAX_LIMIT) {
  return z.int().min(1).max(maximum).default(fallback).describe(`${fallback} if absent`);
}

/** Longer than any cursor that fits into an answer. */
const MAX_CURSOR_LENGTH = MAX_SHOWN_LENGTH;
/** Above the number of properties of any module type. */
const MAX_COLUMNS = 100;

export const cursorField = z.string().min(1).max(MAX_CURSOR_LENGTH).describe("From the previous answer: next page");

/** The parameters of a list that has pages and columns. */
export function listParameters(fallback = 100) {
  return {
    limit: limitField(fallback),
    cursor: cursorField.optional(),
    fields: z.array(z.string().min(1).max(MAX_ID_LENGTH)).max(MAX_COLUMNS).describe('Columns besides id, or ["all"]')
      .optional(),
  };
}

/** Number of items returned. */
const countField = z.int();

/** The fields of a list's result besides its items. */
export const listResult = {
  count: countField,
  /** All matches. */
  total: z.int(),
  hasMore: z.boolean(),
  cursor: z.string().nullable(),
};

/** Items of a list whose columns the caller chooses: clients that build types keep every field of an undeclared object. */
export const listItems = z.array(z.looseObject({}));

/** Why an empty list is empty, if that is known. */
export const noteField = z.string().optional();

/** Types of events, 1 to 50 of them. */
export function eventTypesField(description: string) {
  return z.array(idField("Such as new.order")).min(1).max(50).describe(description);
}

/** The sequence number after which a poll continues. */
export const sinceField = z.int().min(0).describe("latestSequence of the last answer; absent: the newest");
