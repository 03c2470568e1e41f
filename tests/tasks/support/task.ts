// A task that a user of mkt would set an agent, with the budget that the agent keeps.

import type { TaskMarket } from "./task-market.ts";

export interface Budget {
  readonly calls: number;
  /** Arguments and answers, as JSON. */
  readonly bytes: number;
}

export interface Task {
  /** The name of the file. */
  readonly name: string;
  readonly setBy: "trader" | "operator" | "tester";
  /** As its user would say it. */
  readonly request: string;
  readonly budget: Budget;
  /** Prepares the market, lets an agent do the task, and checks the result against the engine. */
  run(market: TaskMarket): Promise<void>;
}
