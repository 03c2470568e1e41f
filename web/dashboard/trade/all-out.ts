// Cancels every open order that a read gives, one by one, as the person could do it by hand: a few at a time, again after a
// refusal for the rate, and under the same key after an unknown outcome. Then it reads again, so it also finds what came
// meanwhile and says what is left.

import type { ErrorReport, ToolReply } from "../../contract/calls.ts";
import type { Outcome } from "../operation/outcome.ts";
import type { OpenOrder } from "./deed.ts";

/** Cancels under way at the same time. */
const AT_ONCE = 4;
/** Times that the open orders are read and cancelled. */
const ROUNDS = 8;

interface Means {
  /** The orders to cancel that are open now. */
  readonly open: () => Promise<readonly OpenOrder[]>;
  readonly cancel: (order: OpenOrder, idempotencyKey: string) => Promise<Outcome>;
  /** Between two rounds. */
  readonly pause: () => Promise<void>;
  readonly newKey: () => string;
}

interface AllOut {
  readonly cancelled: number;
  /** Orders that are still open; null: unknown. */
  readonly left: number | null;
  /** Why an order is still open. */
  readonly refusal: ErrorReport | null;
}

/** Throws what the first `open` throws: then nothing was sent. */
export async function cancelAll({ open, cancel, pause, newKey }: Means): Promise<AllOut> {
  const keys = new Map<string, string>();
  const cancelled = new Set<string>();
  const refused = new Map<string, ErrorReport>();
  const cancelOne = async (order: OpenOrder) => {
    const key = keys.get(order.id) ?? newKey();
    keys.set(order.id, key);
    const outcome = await cancel(order, key);
    if (outcome.kind === "success") cancelled.add(order.id);
    if (outcome.kind === "failed" && outcome.report.code !== "rate_limited") refused.set(order.id, outcome.report);
  };
  let orders = await open();
  for (let round = 0; round < ROUNDS; round++) {
    const wanted = orders.filter(({ id }) => !refused.has(id));
    if (wanted.length === 0) break;
    if (round > 0) await pause();
    await inLanes(wanted, cancelOne);
    try {
      orders = await open();
    } catch {
      return { cancelled: cancelled.size, left: null, refusal: null };
    }
  }
  const refusal = orders.map(({ id }) => refused.get(id)).find((report) => report !== undefined) ?? null;
  return { cancelled: cancelled.size, left: orders.length, refusal };
}

async function inLanes(orders: readonly OpenOrder[], run: (order: OpenOrder) => Promise<void>): Promise<void> {
  const left = orders.values();
  const lane = async () => {
    for (const order of left) await run(order);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

/** As the answer of a tool. `left` above 0 is a failure, and an unknown `left` an unknown outcome. */
export function replyOf({ cancelled, left, refusal }: AllOut): ToolReply {
  const done = `${cancelled} ${cancelled === 1 ? "order was" : "orders were"} cancelled`;
  if (left === 0) return { kind: "result", isError: false, result: { message: `${done}; none of yours is open.` } };
  const error = left === null ? { code: "timeout", message: `${done}; then the open orders could not be read.` } : {
    code: refusal?.code ?? "incomplete",
    message: `${done}, and ${left} ${left === 1 ? "is" : "are"} still open. ${refusal?.message ?? ""}`.trim(),
  };
  return { kind: "result", isError: true, result: { error } };
}
