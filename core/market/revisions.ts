// The revisions of the modules of one type: a number for the last change of any of them, and one for the last change of those
// with a given value of a property.
//
// Invariant: a revision is never used twice by the tables of one snapshot, also not by a table that replaces another one.
// Cost: one addition for each change. The revisions by a property are kept from the first time that somebody asks for them:
// then each change also sets an entry of a map, which takes some 30 ns, or two if the value has changed. The map has an entry
// for each value whose modules have changed.

import type { AnyModuleData } from "../../protocol/modules/registry.ts";

/** The last revision that a snapshot has given; shared by its tables. */
export interface RevisionCounter {
  last: number;
}

interface ByValue {
  /** The revision of the values that have not changed since somebody first asked. */
  readonly first: number;
  readonly changed: Map<unknown, number>;
}

export class Revisions {
  #newest: number;
  #byProperty: Map<string, ByValue> | null = null;

  constructor(private readonly counter: RevisionCounter) {
    this.#newest = ++counter.last;
  }

  /** The revision of the last change of any module of the type. */
  get newest(): number {
    return this.#newest;
  }

  /** The revision of the last change of a module with this value, before or after the change; or a later one. */
  of(property: string, value: unknown): number {
    this.#byProperty ??= new Map();
    let values = this.#byProperty.get(property);
    if (values === undefined) {
      values = { first: this.#newest, changed: new Map() };
      this.#byProperty.set(property, values);
    }
    return values.changed.get(value) ?? values.first;
  }

  /** A module was put, replaced or removed. */
  changed(before: AnyModuleData | undefined, after: AnyModuleData | undefined): void {
    this.#newest = ++this.counter.last;
    if (this.#byProperty === null) return;
    for (const [property, { changed }] of this.#byProperty) {
      const [was, is] = [before?.[property], after?.[property]];
      if (before !== undefined && (after === undefined || was !== is)) changed.set(was, this.#newest);
      if (after !== undefined) changed.set(is, this.#newest);
    }
  }
}
