// The table of facts over runs.

import { aligned } from "../../bench/table.ts";
import { FIGURES, type PresetFigure, type RunFacts, shown } from "../../sim/facts/run-facts.ts";

/** A row for each figure, a column for each preset. */
export function tableOf(presets: ReadonlyMap<string, readonly PresetFigure[]>): string {
  const rows = FIGURES.map((figure, at) => [
    figure.target === undefined ? `- ${figure.title}` : figure.title,
    figure.target?.text ?? "",
    ...[...presets.values()].map((figures) => shownFigure(figures[at])),
  ]);
  return aligned(["fact", "target", ...presets.keys()], rows);
}

/** A row for each contract, a column for each figure that is measured by contract. */
export function contractTable({ samples }: RunFacts): string {
  const contracts = [...new Set(samples.flatMap(({ contractId }) => contractId ?? []))].sort();
  const figures = FIGURES.filter(({ id }) =>
    samples.some((each) => each.figure === id && each.contractId !== undefined)
  );
  const rows = contracts.map((contractId) => [
    contractId,
    ...figures.map(({ id }) =>
      shown(samples.find((each) => each.figure === id && each.contractId === contractId)?.value ?? NaN)
    ),
  ]);
  return aligned(["contract", ...figures.map(({ id }) => id)], rows);
}

function shownFigure(figure: PresetFigure | undefined): string {
  if (figure === undefined) return "";
  return `${shown(figure.value)}${figure.holds === null ? "" : figure.holds ? " pass" : " FAIL"}`;
}
