// The strategies that personas may have: the built-in ones, and those from files, which the process adds when it starts.

import { STRATEGIES, type StrategyEntry } from "./registry.ts";

const builtIn: Readonly<Record<string, StrategyEntry>> = STRATEGIES;
const added = new Map<string, StrategyEntry>();

/** Throws an Error if the name is taken. */
export function addStrategy(name: string, entry: StrategyEntry): void {
  if (strategyEntry(name) !== undefined) throw new Error(`there is another strategy ${name}`);
  added.set(name, entry);
}

export function strategyEntry(name: string): StrategyEntry | undefined {
  return Object.hasOwn(builtIn, name) ? builtIn[name] : added.get(name);
}

export function strategyNames(): string[] {
  return [...Object.keys(builtIn), ...added.keys()];
}
