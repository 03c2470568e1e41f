// Parameters and result fields that the monitor tools share.

import { z } from "zod";
import { idField, limitField, sinceField } from "../../core/tools/fields.ts";
import { MAX_WAIT_SECONDS } from "../../core/tools/context.ts";

/** Default `limit` of monitor tools (specification, Limits). */
export const DEFAULT_EVENTS = 50;

export const pollingFields = {
  limit: limitField(DEFAULT_EVENTS),
  since: sinceField.optional(),
  waitSeconds: z.int().min(0).max(MAX_WAIT_SECONDS).optional().describe("Wait for the next event"),
  detail: z.enum(["full"]).optional().describe("All fields"),
};

export const contractFilter = { contractId: idField("Only of this contract").optional() };
export const idFilters = {
  ...contractFilter,
  entityId: idField("Only of this entity").optional(),
  orderId: idField("Only of this order").optional(),
};

/** One page of events, and what the next poll needs. */
export const pageFields = {
  events: z.array(z.looseObject({
    sequence: z.int(),
    category: z.string(),
    type: z.string(),
    time: z.string(),
    data: z.looseObject({}),
  })),
  count: z.int(),
  latestSequence: z.int(),
  hasMore: z.boolean(),
  missed: z.int().nullable().describe("Lost events after since; null: unknown"),
  epoch: z.int().nullable(),
  waited: z.boolean().optional(),
  filters: z.looseObject({}),
};
