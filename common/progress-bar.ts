// A progress bar on stderr if stderr is a terminal; otherwise nothing, so logs stay clean.

interface Progress {
  /** The part of the total that is done. */
  update(done: number): void;
  /** Removes the bar. */
  stop(): void;
}

const NO_PROGRESS: Progress = { update: () => {}, stop: () => {} };

/** `unit`: the unit of `total` and `done`, as shown. */
export async function showProgress(total: number, unit: string): Promise<Progress> {
  if (!process.stderr.isTTY || total === 0) return NO_PROGRESS;
  const { SingleBar, Presets } = await import("cli-progress");
  const bar = new SingleBar({
    stream: process.stderr,
    format: `{bar} {percentage} %  {value}/{total} ${unit}`,
    clearOnComplete: true,
    // Its own signal handlers would keep the first Ctrl-C from ending the process.
    gracefulExit: false,
  }, Presets.shades_classic);
  bar.start(total, 0);
  return { update: (done) => bar.update(done), stop: () => bar.stop() };
}
