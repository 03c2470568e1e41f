/** The value, if an invariant says that it is defined; throws if it is not. `what` names it in the message. */
export function required<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new Error(`the engine lacks a ${what} that must be there`);
  return value;
}
