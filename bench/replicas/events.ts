// What an event costs: in processor time of the replicas and of Redis, and in bytes on Redis. `mkt load` makes the events, at a
// rate that leaves the processor idle at times.

import { join } from "node:path";
import type { Run } from "../agents/engine-run.ts";
import { usageOf } from "./reads.ts";
import type { Replica, World } from "./world.ts";

export interface EventCosts {
  readonly events: number;
  readonly eventsPerSecond: number;
  /** Of one replica, for each event. */
  readonly microseconds: number;
  readonly redisMicroseconds: number;
  /** On Redis, for each event; 0 without it. */
  readonly bytes: number;
}

export interface EventLoad {
  /** Orders, changes and cancels. */
  readonly requestsPerSecond: number;
  readonly seconds: number;
}

const MAIN = join(import.meta.dir, "../../main.ts");
const USERS = "riverbend-trader-1,heartland-trader-1,summit-trader-1";
const POLL_MS = 20;

/** Throws if a replica has another number of events than the others. */
export async function measureEvents(world: World, run: Run, load: EventLoad): Promise<EventCosts> {
  // The first events load code.
  await runLoad(world, run, { ...load, seconds: 1 });
  await allHave(world);
  const [before, usedBefore, eventsBefore] = [
    await usageOf(world),
    await world.redis?.usedBytes(),
    await allHave(world),
  ];
  const began = performance.now();
  await runLoad(world, run, load);
  const took = (performance.now() - began) / 1000;
  const events = await allHave(world) - eventsBefore;
  const [after, used] = [await usageOf(world), await world.redis?.usedBytes()];
  return {
    events,
    eventsPerSecond: events / took,
    microseconds: (after.replicas - before.replicas) / world.replicas.length / events,
    redisMicroseconds: (after.redis - before.redis) / events,
    bytes: ((used ?? 0) - (usedBefore ?? 0)) / events,
  };
}

async function runLoad({ engine }: World, run: Run, { requestsPerSecond, seconds }: EventLoad): Promise<void> {
  const options = {
    url: engine.url.replace("http:", "ws:"),
    users: USERS,
    connections: 6,
    rate: requestsPerSecond,
    duration: seconds,
  };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  await run([process.execPath, MAIN, "load", ...args, "--json"]);
}

/** Waits until nothing new comes. Returns the number of events that each replica has. */
async function allHave({ replicas, redis }: World): Promise<number> {
  let last = "";
  for (;;) {
    const facts = await Promise.all(replicas.map(factsOf));
    const text = JSON.stringify(facts);
    const [first] = facts;
    const isWritten = redis === null || facts.every(({ logSequence, latest }) => logSequence === latest);
    if (text === last && isWritten && facts.every(({ latest }) => latest === first!.latest)) {
      if (facts.some(({ total }) => total !== first!.total)) throw new Error(`replicas have other events: ${text}`);
      return first!.total;
    }
    last = text;
    await Bun.sleep(POLL_MS);
  }
}

async function factsOf({ call }: Replica) {
  const { connections, eventBuffer } = await call("mkt_connection_status") as {
    readonly connections: { readonly redis: { readonly logSequence?: number | null } };
    readonly eventBuffer: { readonly latestSequence: number; readonly totalEvents: number };
  };
  const { latestSequence: latest, totalEvents: total } = eventBuffer;
  return { latest, total, logSequence: connections.redis.logSequence ?? null };
}
