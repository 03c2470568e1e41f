// What a journal holds, apart from the files in which its format keeps it: the same for every format. Steps from one format to
// the next (journal-upgrades.ts) take it and give it back.

export type JsonObject = Readonly<Record<string, unknown>>;

/** A journal as JSON values. Each part and record is read once, in order. */
export interface JournalContent {
  readonly header: JsonObject;
  /** The parts of the checkpoint; null if there is none. */
  readonly parts: Iterable<JsonObject> | null;
  /** The records after the checkpoint. A step gives as many as it takes, so their numbers stay. */
  readonly records: Iterable<JsonObject>;
}

/** A fill, as the audit trail has it. */
export interface PastFill {
  readonly contractId: string;
  readonly entityId: string;
  readonly side: 0 | 1;
  /** Cents/MWh. */
  readonly price: number;
  /** MW. */
  readonly quantity: number;
}

/** All fills up to the checkpoint, oldest first; null if the audit trail has lost its oldest events. */
export type PastFills = () => Iterable<PastFill> | null;

/** What a step changes. A step from format N gives format N + 1. */
export interface UpgradeStep {
  readonly parts?: (
    parts: Iterable<JsonObject>,
    header: JsonObject,
    pastFills: PastFills,
  ) => Iterable<JsonObject>;
  readonly record?: (record: JsonObject) => JsonObject;
}

/** A journal that is whole, but can't be upgraded. */
export class NotUpgradable extends Error {}
