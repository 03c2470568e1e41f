// Reads a second of some replicas together, and what a read costs in processor time. Clients have connections to all replicas,
// as behind a balancer, each with one request at a time.

import { KeptConnection, toolCall } from "../../tests/support/kept-connection.ts";
import type { World } from "./world.ts";

export interface Reads {
  readonly perSecond: number;
  /** Of the replicas, for each read. */
  readonly microseconds: number;
  /** Of Redis, for each read; 0 without it. */
  readonly redisMicroseconds: number;
}

export interface ReadsLength {
  readonly seconds: number;
  /** To each replica. */
  readonly connections: number;
}

/** Throws if an answer is an error. */
export async function measureReads(world: World, { seconds, connections }: ReadsLength): Promise<Reads> {
  const [replica] = world.replicas;
  const found = await replica!.call("mkt_find_modules", { moduleType: "CONTRACT", limit: 1 });
  const [contractId] = found["ids"] as string[];
  await readFor(world, contractId!, { seconds: seconds / 4, connections });
  const before = await usageOf(world);
  const began = performance.now();
  const reads = await readFor(world, contractId!, { seconds, connections });
  const took = (performance.now() - began) / 1000;
  const after = await usageOf(world);
  return {
    perSecond: reads / took,
    microseconds: (after.replicas - before.replicas) / reads,
    redisMicroseconds: (after.redis - before.redis) / reads,
  };
}

async function readFor(
  { replicas }: World,
  contractId: string,
  { seconds, connections }: ReadsLength,
): Promise<number> {
  const end = performance.now() + seconds * 1000;
  let reads = 0;
  const read = async (index: number) => {
    const { url } = replicas[index % replicas.length]!.process;
    const connection = new KeptConnection(url);
    const request = toolCall(url, "mkt_get_order_book", { contractId });
    while (performance.now() < end) {
      const answer = await connection.send(request);
      if (answer?.status !== 200 || !answer.body.includes('"bids"')) throw new Error(`a read failed: ${answer?.body}`);
      reads += 1;
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: connections * replicas.length }, (_, index) => read(index)));
  return reads;
}

export async function usageOf(
  { replicas, redis }: World,
): Promise<{ readonly replicas: number; readonly redis: number }> {
  const usages = await Promise.all(replicas.map(({ process }) => process.usage()));
  const total = usages.reduce((sum, { processorMicroseconds }) => sum + processorMicroseconds, 0);
  return { replicas: total, redis: redis?.processorMicroseconds ?? 0 };
}
