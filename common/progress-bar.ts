// A progress bar on stderr if stderr is a terminal and nobody automated watches it; otherwise nothing, so logs stay clean.

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
  let isShown = false;
  const show = (all: number) => {
    isShown = true;
    bar.start(all, 0);
  };
  if (total !== null) show(total);
  // Functions without `this`, because callers pass them on.
  return {
    update: (done, all) => {
      if (!isShown && all !== undefined) show(all);
      bar.update(done);
    },
    stop: () => {
      if (isShown) bar.stop();
    },
  };
}
