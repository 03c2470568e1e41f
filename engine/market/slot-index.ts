// Finds the slot of an order by its id. A book has an index of its own, or several books share one, if no id is ever in two
// of them.

export interface SlotIndex {
  /** NO_SLOT if the id is absent. */
  get(id: number): number;
  /** False if the id is present already; then nothing changes. */
  insert(id: number, slot: number): boolean;
  /** Returns the slot of the removed id; NO_SLOT if it was absent. */
  delete(id: number): number;
}
