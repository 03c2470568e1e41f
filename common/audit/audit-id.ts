// Ids of audit events: the epoch of the engine's history and a running number. Both are zero-padded, so that the ids sort by
// age as text, also across epochs.

const EPOCH_DIGITS = 16;
const NUMBER_DIGITS = 12;
const FORM = new RegExp(`^\\d{${EPOCH_DIGITS}}-\\d{${NUMBER_DIGITS}}$`);

export function auditId(epoch: number, number: number): string {
  return `${String(epoch).padStart(EPOCH_DIGITS, "0")}-${String(number).padStart(NUMBER_DIGITS, "0")}`;
}

/** The running number, from 1. Throws if the id is malformed, because its order would be unknown. */
export function numberOf(id: string): number {
  if (!isAuditId(id)) throw new Error(`${JSON.stringify(id)} is not the id of an audit event`);
  return Number(id.slice(EPOCH_DIGITS + 1));
}

/** Throws if the id is malformed. */
export function epochOf(id: string): number {
  if (!isAuditId(id)) throw new Error(`${JSON.stringify(id)} is not the id of an audit event`);
  return Number(id.slice(0, EPOCH_DIGITS));
}

export function isAuditId(text: string): boolean {
  return FORM.test(text);
}
