// The table of tasks in docs/for-agents.md: each task's budget, and what it used when it was last measured.
//
// `UPDATE_TASKS=1 bun test tests/tasks` measures again.

import { aligned, grouped } from "../../../bench/table.ts";
import { withSection } from "../../../scripts/document-section.ts";
import type { Budget, Task } from "./task.ts";

const HEADER = ["task", "set by", "calls", "budget", "bytes", "budget"];

interface Row {
  readonly name: string;
  readonly used: Budget;
  readonly budget: Budget;
}

/** Tasks that were not measured keep their figures. */
export function withTaskTable(document: string, tasks: readonly Task[], measured: ReadonlyMap<string, Budget>): string {
  const before = new Map(rowsOf(document).map(({ name, used }) => [name, used]));
  const rows = tasks.map(({ name, request, setBy, budget }) => {
    const { calls, bytes } = measured.get(name) ?? before.get(name) ?? { calls: 0, bytes: 0 };
    const figures = [calls, budget.calls, bytes, budget.bytes].map(grouped);
    return [`[${name}](../tests/tasks/${name}.ts): ${request}`, setBy, ...figures];
  });
  return withSection(document, "tasks", aligned(HEADER, rows));
}

export function rowsOf(document: string): Row[] {
  return [...document.matchAll(/^\| \[([\w-]+)\]\(\.\.\/tests\/tasks.*$/gm)].map(([line, name = ""]) => {
    const figures = line.split("|").slice(-5, -1).map((cell) => Number(cell.replaceAll(",", "")));
    const [calls = NaN, callBudget = NaN, bytes = NaN, byteBudget = NaN] = figures;
    return { name, used: { calls, bytes }, budget: { calls: callBudget, bytes: byteBudget } };
  });
}
