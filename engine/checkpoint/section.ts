import type { EngineState } from "../state/engine-state.ts";

/** How one kind of state is written to a checkpoint and read from it. Items are JSON values. */
export interface Section<Item> {
  write(state: EngineState): Iterable<Item>;
  /** Adds an item to the state. Items come in the order in which they were written, after all sections before this one. */
  read(state: EngineState, item: Item): void;
}

/** Pairs the elements of the state with their items in a checkpoint. Both are in the order of the definition. */
export function paired<One, Other>(ones: readonly One[], others: readonly Other[], what: string): [One, Other][] {
  if (ones.length !== others.length) {
    throw new Error(`the checkpoint has ${others.length} ${what}, the market definition ${ones.length}`);
  }
  return ones.map((one, at) => [one, others[at] as Other]);
}

/** Some fields of a value. */
export function pick<Value, Field extends keyof Value>(value: Value, fields: readonly Field[]): Pick<Value, Field> {
  return Object.fromEntries(fields.map((field) => [field, value[field]])) as Pick<Value, Field>;
}
