// A day of a busy market: operations of ten users in the mix of the engine's bench, all within 24 hours, so the engine must
// remember each of them. It keeps closed orders and trades as by default. The process also has the flow's own market.

import { heapStats } from "bun:jsc";
import { Engine } from "../../engine/engine.ts";
import { Flow } from "../engine/flow.ts";
import { definitionOf, START } from "../engine/market.ts";
import { requestOf } from "../engine/players.ts";
import { operationIdOf } from "./objects.ts";

export interface DayFigures {
  readonly operations: number;
  readonly accepted: number;
  readonly openOrders: number;
  /** Greatest resident set of the process, looked at a hundred times. */
  readonly peakBytes: number;
  /** Heap and typed arrays after a collection at the end. */
  readonly keptBytes: number;
  /** Processor time of the engine's calls. */
  readonly seconds: number;
}

const ENTITIES = 10;
const RESTING = 10_000;
const SAMPLES = 100;

export function playDay(operations: number): DayFigures {
  const flow = new Flow(ENTITIES, Math.min(RESTING, Math.ceil(operations / 10)), 1);
  const options = { epoch: START * 1000, now: START, engineId: "bench", secret: null };
  const engine = new Engine(definitionOf(ENTITIES), options);
  let [played, accepted, peakBytes, microseconds] = [0, 0, 0, 0];
  while (played < operations) {
    const batch = flow.operations.splice(0);
    const started = process.cpuUsage().user;
    for (const operation of batch) {
      const request = requestOf(operation, operationIdOf(played));
      const { response } = engine.execute(request, START + played);
      played += 1;
      if (response?.status === "ok") accepted += 1;
    }
    microseconds += process.cpuUsage().user - started;
    peakBytes = Math.max(peakBytes, process.memoryUsage().rss);
    flow.addMixed(Math.min(Math.ceil(operations / SAMPLES), operations - played));
  }
  Bun.gc(true);
  const keptBytes = heapStats().heapSize;
  let openOrders = 0;
  for (const { type, text } of engine.snapshot(START + played)) {
    if (type === "ORDER" && text.includes('"closeReason":null')) openOrders += 1;
  }
  return { operations: played, accepted, openOrders, peakBytes, keptBytes, seconds: microseconds / 1e6 };
}
