// The two metrics of tool calls: how many, by tool and outcome, and how long they took, by tool.
//
// prom-client makes a text of the labels for every observation, which costs most of it. Here an observation only adds to
// numbers, and prom-client gets them when the metrics are requested.
// Limit: MAX_OUTCOMES outcomes for each tool; further ones count as OTHER, so a pack can't make labels without end.

import { Counter, type Histogram, type Registry } from "prom-client";
import type { CallRecord } from "../guardrails/call-log.ts";

const BUCKETS = [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15, 30] as const;

/** Far more than mkt's own error codes and statuses. */
const MAX_OUTCOMES = 100;
const OTHER = "(other)";

interface OutcomeCount {
  readonly tool: string;
  readonly outcome: string;
  calls: number;
}

/** The durations of one tool, in seconds. */
interface Durations {
  /** By bucket, without those of the buckets before it; the last one is beyond all bounds. */
  readonly counts: number[];
  sum: number;
  count: number;
}

interface ToolFigures {
  readonly outcomes: Map<string, OutcomeCount>;
  readonly durations: Durations;
}

export class CallMetrics {
  readonly #tools = new Map<string, ToolFigures>();
  /** In the order of their first call. */
  readonly #outcomes: OutcomeCount[] = [];

  constructor(registry: Registry) {
    const outcomes = this.#outcomes;
    new Counter({
      name: "mkt_tool_calls_total",
      help: "Tool calls by outcome: ok, or the code or status of the failure",
      labelNames: ["tool", "outcome"],
      registers: [registry],
      collect() {
        this.reset();
        for (const { tool, outcome, calls } of outcomes) this.inc({ tool, outcome }, calls);
      },
    });
    registry.registerMetric(this.#histogram());
  }

  record({ tool, outcome, durationMs }: CallRecord): void {
    const { outcomes, durations } = this.#figuresOf(tool);
    const counted = outcomes.get(outcome) ?? this.#newOutcome(tool, outcome, outcomes);
    counted.calls += 1;
    const seconds = durationMs / 1000;
    durations.counts[bucketOf(seconds)]! += 1;
    durations.sum += seconds;
    durations.count += 1;
  }

  #figuresOf(tool: string): ToolFigures {
    let figures = this.#tools.get(tool);
    if (figures === undefined) {
      const counts = Array.from({ length: BUCKETS.length + 1 }, () => 0);
      figures = { outcomes: new Map(), durations: { counts, sum: 0, count: 0 } };
      this.#tools.set(tool, figures);
    }
    return figures;
  }

  #newOutcome(tool: string, name: string, outcomes: ToolFigures["outcomes"]): OutcomeCount {
    const outcome = outcomes.size < MAX_OUTCOMES ? name : OTHER;
    const known = outcomes.get(outcome);
    if (known !== undefined) return known;
    const counted = { tool, outcome, calls: 0 };
    outcomes.set(outcome, counted);
    this.#outcomes.push(counted);
    return counted;
  }

  /** What a registry reads of a histogram. */
  #histogram(): Histogram {
    const name = "mkt_tool_call_duration_seconds";
    const get = () =>
      Promise.resolve({
        name,
        help: "Time from a tool call's arrival to its result",
        type: "histogram",
        aggregator: "sum",
        values: [...this.#tools].flatMap(([tool, { durations }]) => samplesOf(name, tool, durations)),
      });
    return { name, get } as unknown as Histogram;
  }
}

/** The index of the first bucket whose bound is not below the duration. */
function bucketOf(seconds: number): number {
  let at = 0;
  while (at < BUCKETS.length && seconds > BUCKETS[at]!) at += 1;
  return at;
}

function samplesOf(name: string, tool: string, { counts, sum, count }: Durations) {
  let total = 0;
  const buckets = [...BUCKETS, "+Inf"].map((le, at) => {
    total += counts[at]!;
    return { metricName: `${name}_bucket`, labels: { le, tool }, value: total };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels: { tool }, value: sum },
    { metricName: `${name}_count`, labels: { tool }, value: count },
  ];
}
