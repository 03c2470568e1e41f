// A progress bar on stderr, where that is a terminal; nothing at all where it is not, so that logs stay clean.

export interface Progress {
  /** How much of the total is done. */
  update(done: number): void;
  /** Takes the bar away. */
  stop(): void;
}

const NO_PROGRESS: Progress = { update: () => {}, stop: () => {} };

/** `total` and `done` in `unit`, which is shown. */
export async function showProgress(total: number, unit: string): Promise<Progress> {
  if (!process.stderr.isTTY || total === 0) return NO_PROGRESS;
  const { SingleBar, Presets } = await import("cli-progress");
  const bar = new SingleBar({
    stream: process.stderr,
    format: `{bar} {percentage} %  {value}/{total} ${unit}`,
    clearOnComplete: true,
    // Its own handlers of signals would keep the first Ctrl-C from ending the process.
    gracefulExit: false,
  }, Presets.shades_classic);
  bar.start(total, 0);
  return { update: (done) => bar.update(done), stop: () => bar.stop() };
}
