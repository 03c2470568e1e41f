// An event buffer's reference, an array of all events and gaps, and random steps and queries for both.

import fc from "fast-check";
import { EventBuffer } from "../../../../core/market/event-buffer.ts";
import type { EventFilter, EventQuery } from "../../../../core/market/event-reader.ts";
import { categoryOf, type EventMessage } from "../../../../protocol/index.ts";

export const EPOCH = 1_000_000;
export const TYPES = [
  ...["new.order", "change.order", "new.fill", "new.trade", "change.book"],
  ...["halt.market", "new.contract", "change.credit", "odd.thing"],
];
export const PRODUCTS = ["BASE", "PEAK", undefined];

export function event(sequence: number, type = "new.order", productCode?: string, ids: Ids = {}): EventMessage {
  const time = new Date(sequence).toISOString();
  return { kind: "event", sequence, type, time, data: { ...productCode !== undefined && { productCode }, ...ids } };
}

const ENTITY_FIELDS = ["entityId", "counterpartyId", "buyEntityId", "sellEntityId"] as const;
const ORDER_FIELDS = ["orderId", "buyOrderId", "sellOrderId"] as const;
const ID_FIELDS = ["id", "contractId", ...ENTITY_FIELDS, ...ORDER_FIELDS] as const;
/** Ids in an event's data, by field, each of them optional. */
type Ids = Partial<Record<(typeof ID_FIELDS)[number], string>>;

/** The ids by which a filter finds an event, written out for each type. */
function idsOf({ type, data }: EventMessage): { contractId: unknown[]; entityId: unknown[]; orderId: unknown[] } {
  const of = (...fields: (typeof ID_FIELDS)[number][]) => fields.map((field) => data[field]);
  const contractId = of("contractId");
  if (type.endsWith(".order")) return { contractId, entityId: of("entityId"), orderId: of("id", "orderId") };
  if (type === "new.fill") return { contractId, entityId: of("entityId"), orderId: of("orderId") };
  if (type === "new.trade") {
    return { contractId, entityId: of("buyEntityId", "sellEntityId"), orderId: of("buyOrderId", "sellOrderId") };
  }
  if (type === "new.contract") return { contractId: of("contractId", "id"), entityId: [], orderId: [] };
  return { contractId, entityId: of(...ENTITY_FIELDS), orderId: of(...ORDER_FIELDS) };
}

export function bufferOf(capacity: number, evictedKept?: number): EventBuffer {
  const buffer = new EventBuffer(capacity, evictedKept);
  buffer.begin(EPOCH, EPOCH);
  return buffer;
}

/** Whether the query asks for some of a category's events only. */
export function namesMore({ types, productCode, contractId, entityId, orderId }: EventQuery): boolean {
  return (types ?? []).length > 0 || [productCode, contractId, entityId, orderId].some((name) => name !== undefined);
}

export const sequences = (events: readonly { sequence: number }[]) => events.map(({ sequence }) => sequence - EPOCH);

/** The reference: all events and gaps in one array. */
export class Model {
  readonly #all: EventMessage[] = [];
  readonly #gaps: [from: number, to: number][] = [];
  #newest: number;

  /** Events up to `start` count as a gap. */
  constructor(readonly capacity: number, start = EPOCH) {
    this.#newest = start;
    if (start > EPOCH) this.#gaps.push([EPOCH + 1, start]);
  }

  /** The newest event that is not buffered; 0 if all are. */
  get evictedUpTo(): number {
    return this.#all.findLast((message) => !this.#isBuffered(message))?.sequence ?? 0;
  }

  push(message: EventMessage): void {
    if (message.sequence <= this.#newest) return;
    this.#all.push(message);
    this.#newest = message.sequence;
  }

  gap(from: number, to: number): void {
    if (to <= this.#newest) return;
    this.#gaps.push([Math.max(from, this.#newest + 1), to]);
    this.#newest = to;
  }

  /** The matching events, buffered or not. */
  matching({ category, types, productCode, contractId, entityId, orderId }: EventFilter): EventMessage[] {
    return this.#all.filter((message) =>
      (category === undefined || categoryOf(message.type) === category) &&
      (types === undefined || types.length === 0 || types.includes(message.type)) &&
      (productCode === undefined || message.data["productCode"] === productCode) &&
      (contractId === undefined || idsOf(message).contractId.includes(contractId)) &&
      (entityId === undefined || idsOf(message).entityId.includes(entityId)) &&
      (orderId === undefined || idsOf(message).orderId.includes(orderId))
    );
  }

  read({ since, limit, ...filter }: EventQuery) {
    const matching = this.matching(filter);
    const buffered = matching.filter((message) => this.#isBuffered(message)).map(({ sequence }) => sequence);
    if (since === undefined) {
      return { sequences: buffered.slice(-limit), latestSequence: this.#newest, hasMore: false, missed: 0 };
    }
    const after = buffered.filter((sequence) => sequence > since);
    const page = after.slice(0, limit);
    const hasMore = after.length > limit;
    const evicted = matching.filter((message) => message.sequence > since && !this.#isBuffered(message)).length;
    const inGaps = this.#gaps.reduce((sum, [from, to]) => sum + Math.max(0, to - Math.max(from - 1, since)), 0);
    return {
      sequences: page,
      latestSequence: hasMore ? page.at(-1) : this.#newest,
      hasMore,
      missed: since < EPOCH || since > this.#newest ? null : evicted + inGaps,
    };
  }

  hasGapBetween(last: number, next: number): boolean {
    return this.#gaps.some(([from, to]) => from < next && to > last);
  }

  #isBuffered(message: EventMessage): boolean {
    const category = categoryOf(message.type);
    const ofCategory = this.#all.filter(({ type }) => categoryOf(type) === category);
    return ofCategory.slice(-this.capacity).includes(message);
  }
}

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      skip: fc.integer({ min: -2, max: 3 }),
      type: fc.constantFrom(...TYPES),
      productCode: fc.constantFrom(...PRODUCTS),
      ids: fc.record(
        Object.fromEntries(ID_FIELDS.map((field) => [field, fc.constantFrom("a", "b", "c")])),
        { requiredKeys: [] },
      ) as fc.Arbitrary<Ids>,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ gapFrom: fc.integer({ min: -2, max: 2 }), gapLength: fc.integer({ min: 0, max: 4 }) }),
  },
);
export type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;
const FILTERS = {
  category: fc.constantFrom("order", "fill", "pricing", "market", "credit", "other"),
  types: fc.subarray(TYPES),
  productCode: fc.constantFrom("BASE", "PEAK", "NONE"),
  contractId: fc.constantFrom("a", "b", "none"),
  entityId: fc.constantFrom("a", "b", "none"),
  orderId: fc.constantFrom("a", "b", "none"),
};
/** Without a condition, with one of each kind, and with several. */
const filter = fc.oneof(
  fc.constant({}),
  ...Object.entries(FILTERS).map(([name, value]) => fc.record({ [name]: value })),
  { weight: 6, arbitrary: fc.record(FILTERS, { requiredKeys: [] }) },
) as fc.Arbitrary<EventFilter>;
const query: fc.Arbitrary<EventQuery> = fc.record({
  filter,
  since: fc.option(fc.integer({ min: EPOCH - 2, max: EPOCH + 120 }), { nil: undefined }),
  limit: fc.integer({ min: 1, max: 9 }),
}).map(({ filter, since, limit }) => ({ ...filter, since, limit }));

/** Applies random steps to a buffer and to the reference. */
export function play(steps: readonly Step[], buffer: EventBuffer, model: Model, first = EPOCH + 1): void {
  let next = first;
  for (const taken of steps) {
    if ("gapFrom" in taken) {
      const from = next + taken.gapFrom;
      for (const target of [buffer, model]) target.gap(from, from + taken.gapLength);
      next = Math.max(next, from + taken.gapLength + 1);
    } else {
      const message = event(next + taken.skip, taken.type, taken.productCode, taken.ids);
      for (const target of [buffer, model]) target.push(message);
      next = Math.max(next, message.sequence + 1);
    }
  }
}

/** A buffer and the reference after the same steps. */
export function played(capacity: number, steps: readonly Step[], evictedKept?: number) {
  const [buffer, model] = [bufferOf(capacity, evictedKept), new Model(capacity)];
  play(steps, buffer, model);
  return { buffer, model };
}

export const steps = fc.array(step, { maxLength: 60 });
export const queries = fc.array(query, { minLength: 1, maxLength: 8 });
export const capacity = fc.integer({ min: 1, max: 8 });
