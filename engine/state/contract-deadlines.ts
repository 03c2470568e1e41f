// The next deadline of each contract: the begin of its delivery, the end of its delivery, or its removal from the market.
//
// Invariant: of deadlines at the same time, begins of deliveries come first, so that credit which the end of another
// delivery frees is not used in a contract whose delivery has begun. Otherwise they come in the order of listing.
//
// Cost: O(contracts) to add and to take, which both happen a few times in the life of a contract; O(1) to read the first.

import { HOUR_MS } from "../../protocol/time-units.ts";
import type { ContractState } from "./market-state.ts";

interface ContractDeadline {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly isBegin: boolean;
  readonly contract: ContractState;
}

export class ContractDeadlines {
  /** Earliest first. */
  readonly #queue: ContractDeadline[] = [];

  /** The earliest; undefined if there is none. */
  get first(): ContractDeadline | undefined {
    return this.#queue[0];
  }

  add(contract: ContractState): void {
    const deadline = { time: deadlineOf(contract), isBegin: !contract.expired, contract };
    const before = this.#queue.findLastIndex((other) => isBefore(other, deadline));
    this.#queue.splice(before + 1, 0, deadline);
  }

  /** Removes the earliest and returns it. */
  take(): ContractDeadline | undefined {
    return this.#queue.shift();
  }

  clear(): void {
    this.#queue.length = 0;
  }
}

function deadlineOf({ expired, delivered, deliveryStart, deliveryEnd, market }: ContractState): number {
  if (!expired) return deliveryStart;
  if (!delivered) return deliveryEnd;
  return deliveryEnd + market.definition.keepDeliveredHours * HOUR_MS;
}

function isBefore(one: ContractDeadline, other: ContractDeadline): boolean {
  if (one.time !== other.time) return one.time < other.time;
  if (one.isBegin !== other.isBegin) return one.isBegin;
  return one.contract.serial < other.contract.serial;
}
