// Counts by a label. Limit: whoever counts must make sure that there are few labels.

import type { Sample } from "./collected-metrics.ts";

export class Counts<Label extends string | number = string> {
  readonly #counts: Map<Label, number>;

  /** `known`: labels that are reported before they are first counted. So the first one shows as an increase. */
  constructor(known: readonly NoInfer<Label>[] = []) {
    this.#counts = new Map(known.map((label) => [label, 0]));
  }

  add(label: Label): void {
    this.#counts.set(label, (this.#counts.get(label) ?? 0) + 1);
  }

  /** A sample for each label, under this name, and with the other labels. */
  samples(name: string, others: Sample["labels"] = {}): Sample[] {
    return [...this.#counts].map(([label, value]) => ({ labels: { ...others, [name]: String(label) }, value }));
  }
}
