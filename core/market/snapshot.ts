// The snapshot cache: every module of the market, from the engine's state messages.
//
// Invariant: a reader always sees one consistent state. Each message is applied synchronously, and `replaceAll` builds the
// new state apart and swaps it in whole. Messages must have been checked against the module schemas (frame-reader.ts).
// Readers share the modules and must not change them. Cost: see module-table.ts.

import { type AnyModuleData, MODULE_TYPES, type ModuleData, type ModuleType } from "../../protocol/modules/registry.ts";
import type { StateMessage } from "../../protocol/index.ts";
import { ModuleTable } from "./module-table.ts";
import type { RevisionCounter } from "./revisions.ts";
import type { ModulePage, PropertyName, SnapshotQuery, SnapshotReader } from "./snapshot-reader.ts";
import { idIn, moduleTypeOf } from "../../protocol/state-path.ts";

type Tables = Readonly<Record<ModuleType, ModuleTable>>;

export class Snapshot implements SnapshotReader {
  readonly #revisions: RevisionCounter = { last: 0 };
  #tables = emptyTables(this.#revisions);
  #asOf: string | null = null;

  get asOf(): string | null {
    return this.#asOf;
  }

  /** Puts or removes one module. `asOf` is ISO market time. A path that names no module is ignored. */
  apply(message: StateMessage, asOf: string): void {
    applyTo(this.#tables, message);
    this.#asOf = asOf;
  }

  /** Replaces all modules by those of the messages, applied in their order. */
  replaceAll(messages: Iterable<StateMessage>, asOf: string): void {
    const tables = emptyTables(this.#revisions, this.#tables);
    for (const message of messages) applyTo(tables, message, this.#tables);
    this.#tables = tables;
    this.#asOf = asOf;
  }

  /** Records that the state still holds at `asOf`. */
  confirm(asOf: string): void {
    this.#asOf = asOf;
  }

  clear(): void {
    this.#tables = emptyTables(this.#revisions);
    this.#asOf = null;
  }

  get<Type extends ModuleType>(type: Type, id: string): ModuleData<Type> | undefined {
    return typed<Type>(this.#tables[type].get(id));
  }

  find<Type extends ModuleType>(type: Type, query: SnapshotQuery): ModulePage<Type> {
    return this.#tables[type].find(query) as unknown as ModulePage<Type>;
  }

  first<Type extends ModuleType>(type: Type): ModuleData<Type> | undefined {
    return typed<Type>(this.#tables[type].first());
  }

  count(type: ModuleType): number {
    return this.#tables[type].size;
  }

  revision(type: ModuleType): number {
    return this.#tables[type].revisions.newest;
  }

  revisionOf<Type extends ModuleType>(type: Type, property: PropertyName<Type>, value: string): number {
    return this.#tables[type].revisions.of(property, value);
  }
}

function emptyTables(revisions: RevisionCounter, previous?: Tables): Tables {
  return Object.fromEntries(
    MODULE_TYPES.map((type) => [type, new ModuleTable(type, revisions, previous?.[type])]),
  ) as unknown as Tables;
}

function applyTo(tables: Tables, { statePath, state }: StateMessage, previous?: Tables): void {
  const type = moduleTypeOf(statePath);
  if (type === null) return;
  if (state === null) tables[type].remove(idIn(statePath, type));
  else tables[type].put(state, previous?.[type]);
}

/** The table of a type holds only modules of that type, which the shared ModuleTable can't express. */
function typed<Type extends ModuleType>(data: AnyModuleData | undefined): ModuleData<Type> | undefined {
  return data as unknown as ModuleData<Type> | undefined;
}
