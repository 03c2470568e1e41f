// Two metrics of calls: how many, by outcome, and how long they took.
//
// A call only adds to numbers (common/telemetry/), which are read when the metrics are requested.
// Limit: MAX_OUTCOMES outcomes for each set of labels; further ones count as OTHER, so a pack can't make labels without end.

import type { CollectedMetrics, Labels, Sample } from "../../common/telemetry/collected-metrics.ts";
import { Durations } from "../../common/telemetry/durations.ts";

/** In seconds. */
const BOUNDS = [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15, 30] as const;

/** Far more than mkt's own error codes and statuses. */
const MAX_OUTCOMES = 100;
const OTHER = "(other)";

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
  /** Calls with one key have the same labels. */
  readonly keyOf: (call: Call) => string;
  readonly labelsOf: (call: Call) => Labels;
}

interface OutcomeCount {
  readonly labels: Labels;
  calls: number;
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

  constructor(metrics: CollectedMetrics, options: CallMetricsOptions<Call>) {
    this.#options = options;
    const { total, duration } = options;
    metrics.counter(total.name, total.help, () => this.#samples());
    metrics.histogram(duration.name, duration.help, () => this.#figures.values());
  }

  record(call: Call): void {
    const figures = this.#figuresOf(call);
    const counted = figures.outcomes.get(call.outcome) ?? this.#newOutcome(figures, call.outcome);
    counted.calls += 1;
    figures.durations.observe(call.durationMs / 1000);
  }

  #samples(): Sample[] {
    return this.#outcomes.map(({ labels, calls }) => ({ labels, value: calls }));
  }

  #figuresOf(call: Call): Figures {
    const key = this.#options.keyOf(call);
    let figures = this.#figures.get(key);
    if (figures === undefined) {
      figures = { labels: this.#options.labelsOf(call), outcomes: new Map(), durations: new Durations(BOUNDS) };
      this.#figures.set(key, figures);
    }
    return figures;
  }

  #newOutcome({ labels, outcomes }: Figures, name: string): OutcomeCount {
    const outcome = outcomes.size < MAX_OUTCOMES ? name : OTHER;
    const known = outcomes.get(outcome);
    if (known !== undefined) return known;
    const counted = { labels: { ...labels, outcome }, calls: 0 };
    outcomes.set(outcome, counted);
    this.#outcomes.push(counted);
    return counted;
  }
}
