// The figures of docs/simulator.md: measured once, kept as JSON, and shown as a table.

import { aligned } from "../../bench/table.ts";
import { factsOf, FIGURES, presetFigures, type RunFacts, shown } from "../../sim/facts/run-facts.ts";
import { type PictureFigures, pictureFigures } from "./pictures.ts";
import { onSimulatedTapes, type RunRequest } from "./simulated-tapes.ts";

/** Seeds that no parameter of the model was chosen on. */
export const MEASURED_SEEDS: readonly number[] = Array.from({ length: 20 }, (_, at) => 201 + at);
const HOURS = 24;
const MEASURED_PRESETS = ["calm", "volatile", "stress"] as const;

export interface MeasuredFacts {
  /** The first so many of MEASURED_SEEDS. */
  readonly seeds: number;
  /** By preset, then by the figure's id; null if no run could show it. */
  readonly figures: Readonly<Record<string, Readonly<Record<string, number | null>>>>;
  /** By preset: of the first seed. */
  readonly pictures: Readonly<Record<string, PictureFigures>>;
}

/** The runs of some seeds. */
export function runsOf(seeds: readonly number[]): RunRequest[] {
  return MEASURED_PRESETS.flatMap((preset) => seeds.map((seed) => ({ preset, seed, hours: HOURS })));
}

/** `jobs`: how many runs at a time. All seeds take some minutes. */
export async function measureFacts(seeds: number, jobs: number): Promise<MeasuredFacts> {
  const drawn: Record<string, PictureFigures> = {};
  const runs = await onSimulatedTapes(runsOf(MEASURED_SEEDS.slice(0, seeds)), (run) => {
    if (run.seed === MEASURED_SEEDS[0]) drawn[run.preset] = pictureFigures(run.tape);
    console.error(`${run.preset}, seed ${run.seed}`);
    return factsOf(run);
  }, { jobs });
  const pictures = Object.fromEntries(MEASURED_PRESETS.map((preset) => [preset, drawn[preset]!]));
  return { seeds, figures: figuresByPreset(runs), pictures };
}

/** To four significant digits. */
export function figuresByPreset(runs: readonly RunFacts[]): MeasuredFacts["figures"] {
  const byPreset = Map.groupBy(runs, ({ preset }) => preset);
  return Object.fromEntries([...byPreset].map(([preset, own]) => [
    preset,
    Object.fromEntries(
      presetFigures(own).map(({ figure, value }) => [
        figure.id,
        Number.isNaN(value) ? null : Number(value.toPrecision(4)),
      ]),
    ),
  ]));
}

/** A row for each figure, a column for each preset. A value that misses its target is in bold. */
export function measuredTable({ figures, seeds }: MeasuredFacts): string {
  const rows = FIGURES.map(({ id, title, target }) => [
    target === undefined ? `- ${title}` : title,
    target?.text ?? "",
    ...MEASURED_PRESETS.map((preset) => {
      const value = figures[preset]?.[id] ?? NaN;
      return target === undefined || target.holds(value) ? shown(value) : `**${shown(value)}**`;
    }),
  ]);
  return [
    `${HOURS} hours of each of the seeds ${MEASURED_SEEDS[0]} to ${MEASURED_SEEDS[seeds - 1]}:`,
    "",
    aligned(["fact", "target", ...MEASURED_PRESETS], rows),
  ].join("\n");
}
