// A progress bar on stderr if stderr is a terminal and nobody automated watches it; otherwise nothing, so logs stay clean.

import { PLATFORM } from "./environment.ts";
import { safeLines } from "./safe-text.ts";

export interface Progress {
  /** The part of the total that is done. `total`: if it was not known at the start. */
  update(done: number, total?: number): void;
  /** Writes a line for people to stderr, above the bar. */
  note(text: string): void;
  /** Removes the bar. */
  stop(): void;
}

interface ProgressOptions {
  /** What was done before. */
  readonly start?: number;
  /** Whether to show about how long the rest takes, as far as the updates since the start tell. */
  readonly showsRest?: boolean;
}

const note = (text: string) => void process.stderr.write(`${safeLines(text)}\n`);
const NO_PROGRESS: Progress = { update: () => {}, note, stop: () => {} };
/** Clears the line of the bar, which is drawn again soon. */
const CLEAR_LINE = "\r\u001b[K";

/** `unit`: the unit of `total` and `done`, as shown. `total` null: the first update tells it, and shows the bar. */
export async function showProgress(
  total: number | null,
  unit: string,
  { start = 0, showsRest = false }: ProgressOptions = {},
): Promise<Progress> {
  const { CI, TERM } = PLATFORM;
  if (!process.stderr.isTTY || TERM === "dumb" || (CI ?? "") !== "" || total === 0) return NO_PROGRESS;
  const { SingleBar, Presets } = await import("cli-progress");
  const bar = new SingleBar({
    stream: process.stderr,
    format: `{bar} {percentage} %  {value}/{total} ${unit}{rest}`,
    clearOnComplete: true,
    forceRedraw: showsRest,
    // Its own signal handlers would keep the first Ctrl-C from ending the process.
    gracefulExit: false,
  }, Presets.shades_classic);
  let shownTotal = total;
  let isShown = false;
  const show = (all: number) => {
    isShown = true;
    shownTotal = all;
    bar.start(all, start, { rest: "" });
  };
  if (total !== null) show(total);
  const begin = performance.now();
  const restOf = (done: number) => {
    if (!showsRest || shownTotal === null || done <= start) return "";
    return `, about ${durationText((performance.now() - begin) / (done - start) * (shownTotal - done))} left`;
  };
  // Functions without `this`, because callers pass them on.
  return {
    update: (done, all) => {
      if (!isShown && all !== undefined) show(all);
      bar.update(done, { rest: restOf(done) });
    },
    note: (text) => {
      if (isShown) process.stderr.write(CLEAR_LINE);
      note(text);
    },
    stop: () => {
      if (isShown) bar.stop();
    },
  };
}

/** In the largest unit of which there are at least two. */
function durationText(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
