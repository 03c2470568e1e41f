// One round of load: a number of confirmed orders in a closed loop, until every connection has all frames that belong to them,
// and the server's process rests. So the work of its other threads counts too, which nobody waits for.

import type { Side } from "./sides.ts";

export interface Load {
  readonly orders: number;
  /** Requests that each requesting connection always waits for. */
  readonly outstanding: number;
}

export interface Round {
  /** Processor time of the server's process for each confirmed order. */
  readonly microseconds: number;
  readonly ordersPerSecond: number;
  /** Frames with states and events that a connection got for each order. */
  readonly updateFrames: number;
  /** Bytes of those frames that a connection got for each order. */
  readonly updateBytes: number;
  /** Bytes of the response to an order. */
  readonly responseBytes: number;
}

const PAUSE_MS = 2;
/** A process that takes less than a twentieth of a processor for so long rests. */
const REST_MS = 40;
const REST_MICROSECONDS = REST_MS * 1000 / 20;
const PATIENCE_MS = 60_000;

export async function playRound(side: Side, load: Load): Promise<Round> {
  const before = trafficOf(side);
  const usage = await side.process.usage();
  const began = performance.now();
  await confirmOrders(side, load);
  const seconds = (performance.now() - began) / 1000;
  await untilComplete(side);
  const processorMicroseconds = await untilAtRest(side);
  const after = trafficOf(side);
  const each = (total: number) => total / load.orders;
  return {
    microseconds: each(processorMicroseconds - usage.processorMicroseconds),
    ordersPerSecond: load.orders / seconds,
    updateFrames: each(after.updateFrames - before.updateFrames) / side.connections.length,
    updateBytes: each(after.updateBytes - before.updateBytes) / side.connections.length,
    responseBytes: each(after.responseBytes - before.responseBytes),
  };
}

/** Sends orders over all requesting connections; resolves once they are confirmed. */
function confirmOrders(side: Side, { orders, outstanding }: Load): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let sent = 0;
  let confirmed = 0;
  for (const requester of side.requesters) {
    const send = (count: number) => {
      for (let number = 0; number < count && sent < orders; number++) {
        sent += 1;
        requester.send(side.nextRequest());
      }
    };
    requester.onResponses = (count) => {
      confirmed += count;
      if (confirmed === orders) resolve();
      send(count);
    };
    send(outstanding);
  }
  return promise;
}

async function untilComplete(side: Side): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!side.isComplete()) {
    if (performance.now() > deadline) throw new Error("a connection did not get all frames");
    await Bun.sleep(PAUSE_MS);
  }
}

/** Resolves with the processor time of the server's process since its start. */
async function untilAtRest({ process }: Side): Promise<number> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let before = -Infinity; performance.now() < deadline; await Bun.sleep(REST_MS)) {
    const { processorMicroseconds } = await process.usage();
    if (processorMicroseconds - before < REST_MICROSECONDS) return processorMicroseconds;
    before = processorMicroseconds;
  }
  throw new Error("the server's process does not come to rest");
}

function trafficOf({ connections }: Side) {
  const total = { updateFrames: 0, updateBytes: 0, responseBytes: 0 };
  for (const { frames, bytes, responseFrames, responseBytes } of connections) {
    total.updateFrames += frames - responseFrames;
    total.updateBytes += bytes - responseBytes;
    total.responseBytes += responseBytes;
  }
  return total;
}
