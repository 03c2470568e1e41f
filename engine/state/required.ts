/** A value that an invariant says is defined; throws if it is not. `what` names it in the message. */
export function required<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new Error(`broken invariant: the engine has no ${what}`);
  return value;
}
