// The stylised facts of runs, with the ranges of real markets and where each run is.

import { element, pixels } from "../../common/plot/svg.ts";
import { FIGURES, type PresetFigure, shown } from "../facts/run-facts.ts";
import { html, type Markup, raw } from "./markup.ts";
import type { RecordedRun } from "./recorded-run.ts";

type Verdict = "within" | "outside" | "unknown" | "many" | "none";

const MARKS: Readonly<Record<Verdict, { readonly icon: string; readonly word: string; readonly style: string }>> = {
  within: { icon: "✓", word: "within", style: "good" },
  outside: { icon: "✗", word: "outside", style: "bad" },
  unknown: { icon: "–", word: "too few trades", style: "muted" },
  many: { icon: "–", word: "needs many runs", style: "muted" },
  none: { icon: "", word: "", style: "muted" },
};

/** What a run's value means. A share of runs can't be seen in one run. */
export function verdictOf({ figure, value, holds }: PresetFigure): Verdict {
  if (figure.overSeeds === "positiveShare") return "many";
  if (Number.isNaN(value)) return "unknown";
  return holds === null ? "none" : holds ? "within" : "outside";
}

export function factTable(runs: readonly RecordedRun[], names: readonly string[]): Markup {
  const rows = FIGURES.map((figure, at) => {
    const values = runs.map(({ facts }) => facts[at]).filter((each) => each !== undefined);
    const indent = figure.target === undefined ? "– " : "";
    return html`<tr><th scope="row">${indent}${figure.title}</th><td class="number">${
      figure.target?.text ?? ""
    }</td><td class="range">${rangePicture(values)}</td>${values.map(cellsOf)}</tr>`;
  });
  const heads = names.map((name) =>
    html`<th scope="col" class="number" colspan="2"><bdi>${runs.length === 1 ? "this run" : name}</bdi></th>`
  );
  return html`
    <div class="scroll" tabindex="0" role="group" aria-label="Table of facts">
      <table>
        <thead>
          <tr><th scope="col">fact</th><th scope="col" class="number">range</th><td class="range"></td>${heads}</tr>
        </thead>
        <tbody>${rows}</tbody>
      </table>
    </div>
  `;
}

/** How many facts with a range are within it, outside, and unknown. */
export function factCounts(
  { facts }: RecordedRun,
): { readonly within: number; readonly outside: number; readonly unknown: number } {
  const verdicts = facts.filter(({ figure }) => figure.target !== undefined).map(verdictOf);
  const count = (...wanted: Verdict[]) => verdicts.filter((each) => wanted.includes(each)).length;
  return { within: count("within"), outside: count("outside"), unknown: count("unknown", "many") };
}

function cellsOf(fact: PresetFigure): Markup {
  const verdict = verdictOf(fact);
  const { icon, word, style } = MARKS[verdict];
  const value = verdict === "many" ? "–" : Number.isNaN(fact.value) ? "–" : shown(fact.value);
  return html`
    <td class="number">${value}</td>
    <td class="mark ${style}">${icon === "" ? "" : `${icon} ${word}`}</td>
  `;
}

const WIDTH = 150;
const HEIGHT = 18;
const MARGIN = 6;

/** A shape in the colour of a good value or of a bad one. */
function dyed(isGood: boolean, shape: string, attributes: Parameters<typeof element>[1]): string {
  return element("g", { class: isGood ? "p-good" : "p-bad" }, element(shape, attributes));
}

/** The range as a band, and a dot for each run; nothing if the target is no range. */
function rangePicture(values: readonly PresetFigure[]): Markup {
  const target = values[0]?.figure.target;
  const known = values.map(({ value }) => value).filter(Number.isFinite);
  if (target?.least === undefined && target?.most === undefined) return html``;
  const ends = [target.least, target.most].filter((end) => end !== undefined);
  const span = [...ends, ...known];
  const margin = Math.max(...span) - Math.min(...span) || Math.abs(span[0] ?? 1) || 1;
  const [low, high] = [Math.min(...span) - margin / 4, Math.max(...span) + margin / 4];
  const at = (value: number) => pixels(MARGIN + (value - low) / (high - low) * (WIDTH - 2 * MARGIN));
  const [from, to] = [at(target.least ?? low), at(target.most ?? high)];
  const width = Math.max(1, pixels(to - from));
  const middle = HEIGHT / 2;
  const shapes = [
    element("path", { d: `M${MARGIN} ${middle}H${WIDTH - MARGIN}`, stroke: "currentColor", "stroke-opacity": 0.35 }),
    dyed(true, "rect", { x: from, y: 4, width, height: HEIGHT - 8, fill: "currentColor", "fill-opacity": 0.25 }),
    ...known.map((value) =>
      dyed(target.holds(value), "circle", { cx: at(value), cy: middle, r: 3.6, fill: "currentColor" })
    ),
  ];
  return raw(
    element(
      "svg",
      { class: "plot", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, "aria-hidden": "true" },
      shapes.join(""),
    ),
  );
}
