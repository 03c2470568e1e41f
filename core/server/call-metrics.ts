// Two metrics of calls: how many, by outcome, and how long they took.
//
// prom-client makes a text of the labels for every observation, which costs most of it. Here an observation only adds to
// numbers, and prom-client gets them when the metrics are requested.
// Limit: MAX_OUTCOMES outcomes for each set of labels; further ones count as OTHER, so a pack can't make labels without end.

import { Counter, type Histogram, type Registry } from "prom-client";

const BUCKETS = [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15, 30] as const;

/** Far more than mkt's own error codes and statuses. */
const MAX_OUTCOMES = 100;
const OTHER = "(other)";

type Labels = Readonly<Record<string, string>>;

interface Observed {
  readonly outcome: string;
  readonly durationMs: number;
}

interface MetricText {
  readonly name: string;
  readonly help: string;
}

interface CallMetricsOptions<Call> {
  readonly total: MetricText;
  readonly duration: MetricText;
  readonly labelNames: readonly string[];
  /** Calls with one key have the same labels. */
  readonly keyOf: (call: Call) => string;
  readonly labelsOf: (call: Call) => Labels;
}

interface OutcomeCount {
  readonly labels: Labels;
  readonly outcome: string;
  calls: number;
}

/** In seconds. */
interface Durations {
  /** By bucket, without those of the buckets before it; the last one is beyond all bounds. */
  readonly counts: number[];
  sum: number;
  count: number;
}

/** The figures of one set of labels. */
interface Figures {
  readonly labels: Labels;
  readonly outcomes: Map<string, OutcomeCount>;
  readonly durations: Durations;
}

export class CallMetrics<Call extends Observed> {
  readonly #figures = new Map<string, Figures>();
  /** In the order of their first call. */
  readonly #outcomes: OutcomeCount[] = [];
  readonly #options: CallMetricsOptions<Call>;

  constructor(registry: Registry, options: CallMetricsOptions<Call>) {
    this.#options = options;
    const outcomes = this.#outcomes;
    new Counter({
      ...options.total,
      labelNames: [...options.labelNames, "outcome"],
      registers: [registry],
      collect() {
        this.reset();
        for (const { labels, outcome, calls } of outcomes) this.inc({ ...labels, outcome }, calls);
      },
    });
    registry.registerMetric(this.#histogram());
  }

  record(call: Call): void {
    const figures = this.#figuresOf(call);
    const { durations } = figures;
    const counted = figures.outcomes.get(call.outcome) ?? this.#newOutcome(figures, call.outcome);
    counted.calls += 1;
    const seconds = call.durationMs / 1000;
    durations.counts[bucketOf(seconds)]! += 1;
    durations.sum += seconds;
    durations.count += 1;
  }

  #figuresOf(call: Call): Figures {
    const key = this.#options.keyOf(call);
    let figures = this.#figures.get(key);
    if (figures === undefined) {
      const counts = Array.from({ length: BUCKETS.length + 1 }, () => 0);
      const labels = this.#options.labelsOf(call);
      figures = { labels, outcomes: new Map(), durations: { counts, sum: 0, count: 0 } };
      this.#figures.set(key, figures);
    }
    return figures;
  }

  #newOutcome({ labels, outcomes }: Figures, name: string): OutcomeCount {
    const outcome = outcomes.size < MAX_OUTCOMES ? name : OTHER;
    const known = outcomes.get(outcome);
    if (known !== undefined) return known;
    const counted = { labels, outcome, calls: 0 };
    outcomes.set(outcome, counted);
    this.#outcomes.push(counted);
    return counted;
  }

  /** What a registry reads of a histogram. */
  #histogram(): Histogram {
    const { name, help } = this.#options.duration;
    const get = () =>
      Promise.resolve({
        name,
        help,
        type: "histogram",
        aggregator: "sum",
        values: [...this.#figures.values()].flatMap((figures) => samplesOf(name, figures)),
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

function samplesOf(name: string, { labels, durations: { counts, sum, count } }: Figures) {
  let total = 0;
  const buckets = [...BUCKETS, "+Inf"].map((le, at) => {
    total += counts[at]!;
    return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: total };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
