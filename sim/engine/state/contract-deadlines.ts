// The next deadline of each contract: the begin of its delivery, the end of its delivery, or its removal from the market.
//
// Invariant: deadlines at the same time come in the order in which their contracts were listed.
//
// Cost: O(log contracts) to add and to take, O(1) to read the first.

import type { ContractState } from "./market-state.ts";

const HOUR_MS = 3_600_000;

export interface ContractDeadline {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly contract: ContractState;
}

export class ContractDeadlines {
  /** A binary heap. */
  readonly #heap: ContractDeadline[] = [];

  /** The earliest; undefined if there is none. */
  get first(): ContractDeadline | undefined {
    return this.#heap[0];
  }

  add(contract: ContractState): void {
    const heap = this.#heap;
    const deadline = { time: deadlineOf(contract), contract };
    let at = heap.length;
    heap.push(deadline);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(deadline, heap[parent]!)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = deadline;
  }

  /** Removes the earliest and returns it. */
  take(): ContractDeadline | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const right = left + 1;
      if (left >= heap.length) break;
      const child = right < heap.length && isBefore(heap[right]!, heap[left]!) ? right : left;
      if (!isBefore(heap[child]!, last)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
    return first;
  }

  clear(): void {
    this.#heap.length = 0;
  }
}

function deadlineOf({ expired, delivered, deliveryStart, deliveryEnd, market }: ContractState): number {
  if (!expired) return deliveryStart;
  if (!delivered) return deliveryEnd;
  return deliveryEnd + market.definition.keepDeliveredHours * HOUR_MS;
}

function isBefore(one: ContractDeadline, other: ContractDeadline): boolean {
  return one.time < other.time || (one.time === other.time && one.contract.serial < other.contract.serial);
}
