// A progress bar on stderr if stderr is a terminal and nobody automated watches it; otherwise nothing, so logs stay clean.

import type { SingleBar } from "cli-progress";

export interface Progress {
  /** The part of the total that is done. `total`: if it was not known at the start. */
  update(done: number, total?: number): void;
  /** Removes the bar. */
  stop(): void;
}

const NO_PROGRESS: Progress = { update: () => {}, stop: () => {} };

/** `unit`: the unit of `total` and `done`, as shown. `total` null: the first update tells it, and shows the bar. */
export async function showProgress(total: number | null, unit: string): Promise<Progress> {
  const { CI, TERM } = process.env;
  if (!process.stderr.isTTY || TERM === "dumb" || (CI ?? "") !== "" || total === 0) return NO_PROGRESS;
  const { SingleBar, Presets } = await import("cli-progress");
  const bar = new SingleBar({
    stream: process.stderr,
    format: `{bar} {percentage} %  {value}/{total} ${unit}`,
    clearOnComplete: true,
    // Its own signal handlers would keep the first Ctrl-C from ending the process.
    gracefulExit: false,
  }, Presets.shades_classic);
  return new ShownProgress(bar, total);
}

class ShownProgress implements Progress {
  #isShown = false;

  constructor(private readonly bar: SingleBar, total: number | null) {
    if (total !== null) this.#show(total);
  }

  update(done: number, total?: number): void {
    if (!this.#isShown && total !== undefined) this.#show(total);
    this.bar.update(done);
  }

  stop(): void {
    if (this.#isShown) this.bar.stop();
  }

  #show(total: number): void {
    this.#isShown = true;
    this.bar.start(total, 0);
  }
}
