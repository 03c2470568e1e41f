// When a progress bar is shown.

import { expect, test } from "bun:test";
import * as bars from "cli-progress";
import { showProgress } from "../../common/progress-bar.ts";
import { atEnd } from "../support/at-end.ts";
import { replaced } from "../support/replaced.ts";

test.each<[boolean, boolean, Record<string, string>, number | null]>([
  [true, true, {}, 5],
  [true, true, { CI: "", TERM: "xterm" }, 5],
  [false, true, { CI: "true" }, 5],
  [false, true, { TERM: "dumb" }, 5],
  [false, true, {}, 0],
  [false, false, {}, 5],
])("a bar is shown: %p (terminal: %p, variables %j, total %p)", async (isShown, isTTY, variables, total) => {
  const before = { isTTY: process.stderr.isTTY, CI: process.env["CI"], TERM: process.env["TERM"] };
  const set = (name: string, value: string | undefined) => {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  };
  atEnd(() => {
    process.stderr.isTTY = before.isTTY;
    for (const name of ["CI", "TERM"] as const) set(name, before[name]);
  });
  process.stderr.isTTY = isTTY;
  for (const name of ["CI", "TERM"]) set(name, variables[name]);
  const made = replaced(
    bars,
    "SingleBar" as never,
    function () {
      return { start: () => {}, update: () => {}, stop: () => {}, setTotal: () => {}, render: () => {} };
    } as never,
  );
  made.length = 0;
  const progress = await showProgress(total, "steps");
  progress.update(1);
  progress.stop();
  expect(made.length > 0).toBe(isShown);
});
