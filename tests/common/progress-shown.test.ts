// When a progress bar is shown.

import { expect, spyOn, test } from "bun:test";
import * as bars from "cli-progress";
import { showProgress } from "../../common/progress-bar.ts";
import { atEnd } from "../support/at-end.ts";
import { replaced } from "../support/replaced.ts";

/** A terminal with these variables, and what is done with the bars on it. */
function terminal(isTTY: boolean, variables: Readonly<Record<string, string>> = {}) {
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
  const calls: unknown[][] = [];
  const made = replaced(
    bars,
    "SingleBar" as never,
    function () {
      return {
        start: (...given: unknown[]) => void calls.push(["start", ...given]),
        update: (...given: unknown[]) => void calls.push(["update", ...given]),
        stop: () => void calls.push(["stop"]),
      };
    } as never,
  );
  made.length = 0;
  return { made, calls };
}

test.each<[boolean, boolean, Record<string, string>, number | null]>([
  [true, true, {}, 5],
  [true, true, { CI: "", TERM: "xterm" }, 5],
  [false, true, { CI: "true" }, 5],
  [false, true, { CI: "1" }, 5],
  [false, true, { TERM: "dumb" }, 5],
  [false, true, {}, 0],
  [false, false, {}, 5],
])("a bar is shown: %p (terminal: %p, variables %j, total %p)", async (isShown, isTTY, variables, total) => {
  const { made } = terminal(isTTY, variables);
  const progress = await showProgress(total, "steps");
  progress.update(1);
  progress.stop();
  expect(made.length > 0).toBe(isShown);
});

test("the rest is judged by what was done since the start, in the largest unit of which there are two", async () => {
  let now = 0;
  const clock = spyOn(performance, "now").mockImplementation(() => now);
  atEnd(() => clock.mockRestore());
  const { calls } = terminal(true);
  const progress = await showProgress(110, "steps", { start: 10, showsRest: true });
  const rests: string[] = [];
  for (const [time, done] of [[1, 10], [1, 20], [13.3, 20], [14, 20], [800, 20], [801, 20], [800, 110]] as const) {
    now = time * 1_000;
    progress.update(done);
    rests.push(String((calls.at(-1)![2] as { readonly rest: string }).rest));
  }
  const left = (text: string) => `, about ${text} left`;
  expect(rests).toEqual([
    "",
    ...["9 s", "2 min", "2 min", "2 h", "2 h", "0 s"].map(left),
  ]);
  expect(calls[0]).toEqual(["start", 110, 10, { rest: "" }]);
  progress.stop();
  expect(calls.at(-1)).toEqual(["stop"]);
});

test("a bar whose total is known late begins with it, once, and without one nothing is drawn or removed", async () => {
  const { calls } = terminal(true);
  const progress = await showProgress(null, "records");
  progress.stop();
  expect(calls).toEqual([]);
  progress.update(1, 5);
  progress.update(2, 6);
  progress.stop();
  expect(calls).toEqual([
    ["start", 5, 0, { rest: "" }],
    ["update", 1, { rest: "" }],
    ["update", 2, { rest: "" }],
    ["stop"],
  ]);
});
