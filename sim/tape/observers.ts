// Several observers of one run. Each has the methods of what it wants to know.

import type { RunObserver } from "./run-observer.ts";

/** Tells all of them, in their order. */
export function observedBy(observers: readonly Partial<RunObserver>[]): RunObserver {
  return {
    onOrder: (...order) => observers.forEach((each) => each.onOrder?.(...order)),
    onTrade: (...trade) => observers.forEach((each) => each.onTrade?.(...trade)),
    onBook: (...book) => observers.forEach((each) => each.onBook?.(...book)),
    onDelivery: (contract) => observers.forEach((each) => each.onDelivery?.(contract)),
    onRemoval: (market, contract) => observers.forEach((each) => each.onRemoval?.(market, contract)),
    onEvent: (event) => observers.forEach((each) => each.onEvent?.(event)),
    onSpot: (points) => observers.forEach((each) => each.onSpot?.(points)),
    onPoint: (market) => observers.forEach((each) => each.onPoint?.(market)),
    onEnd: (market) => observers.forEach((each) => each.onEnd?.(market)),
  };
}
