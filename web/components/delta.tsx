// A change or a profit: arrow, sign and colour say the same.

import "./delta.css";
import { signed } from "./format.ts";

interface DeltaProps {
  /** Decides sign and colour. */
  readonly value: number | null | undefined;
  /** The value as text, with its sign; two decimals if absent. */
  readonly text?: string;
}

export function Delta({ value, text }: DeltaProps) {
  const shown = text ?? signed(value);
  if (value === null || value === undefined || value === 0) return <span class="delta delta-none">{shown}</span>;
  const direction = value > 0 ? "up" : "down";
  return (
    <span class={`delta delta-${direction}`}>
      <span class="delta-arrow" aria-hidden="true">{value > 0 ? "▲" : "▼"}</span> {shown}
    </span>
  );
}
