// A labelled field of a form.

import { cloneElement, type VNode } from "preact";
import { useId } from "preact/hooks";
import "./field.css";

interface FieldProps {
  /** With the unit, such as `Price, $/MWh`. */
  readonly label: string;
  readonly hint?: string;
  /** The input, select or textarea. */
  readonly children: VNode;
}

export function Field({ label, hint, children }: FieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {cloneElement(children, { id, "aria-describedby": hint === undefined ? undefined : `${id}-hint` })}
      {hint !== undefined && <span id={`${id}-hint`} class="field-hint">{hint}</span>}
    </div>
  );
}
