// The same requests at the same rate on the bare server, which sends frames of as many bytes to as many connections.

import { Latencies, type LatencyFigures } from "../../load/tally.ts";
import { Schedule } from "../../load/schedule.ts";
import type { Plan } from "../fan-out/bare-plan.ts";
import { FrameConnection } from "../fan-out/frame-connection.ts";
import { BARE_SERVER } from "../fan-out/sides.ts";
import { type Spawn, startServer } from "../serving/server-process.ts";
import type { AgentsLoad } from "./engine-run.ts";

export interface BareFigures {
  readonly microseconds: number;
  readonly latencyMs: LatencyFigures;
}

const ANSWER_LIMIT_MS = 15_000;
/** As long as the request of an order. */
const REQUEST = `{"kind":"request","filler":"`.padEnd(280, "x");

export async function runOnBareServer(spawn: Spawn, plan: Plan, load: AgentsLoad): Promise<BareFigures> {
  const { agents, ratePerAgent, seconds } = load;
  const server = await startServer(spawn, [BARE_SERVER], {});
  const latencies = new Latencies();
  const agentsOf: { readonly connection: FrameConnection; readonly dueAt: number[] }[] = [];
  let answered = 0;
  try {
    for (let number = 0; number < agents; number++) {
      const dueAt: number[] = [];
      const connection = await FrameConnection.open(server.url, true);
      connection.onResponses = (count) => {
        const now = performance.now();
        for (const due of dueAt.splice(0, count)) latencies.record(now - due);
        answered += count;
      };
      agentsOf.push({ connection, dueAt });
    }
    agentsOf[0]?.connection.send(JSON.stringify(plan));
    const before = await server.usage();
    const schedule = new Schedule(agents * ratePerAgent, seconds);
    const started = performance.now();
    for (let number = 0; number < schedule.total;) {
      const due = schedule.dueBy(performance.now() - started);
      for (; number < due; number++) {
        const { connection, dueAt } = agentsOf[number % agents]!;
        dueAt.push(started + schedule.dueMs(number));
        connection.send(REQUEST);
      }
      await Bun.sleep(Math.max(0, started + schedule.dueMs(number) - performance.now()));
    }
    const end = performance.now() + ANSWER_LIMIT_MS;
    while (answered < schedule.total && performance.now() < end) await Bun.sleep(10);
    const figures = latencies.figures();
    if (figures === null || answered !== schedule.total) throw new Error("the bare server did not answer everything");
    const { processorMicroseconds } = await server.usage();
    return {
      microseconds: (processorMicroseconds - before.processorMicroseconds) / schedule.total,
      latencyMs: figures,
    };
  } finally {
    for (const { connection } of agentsOf) connection.close();
    await server.end();
  }
}
