// A figure with its name and unit: one of a row.

import type { ComponentChildren } from "preact";
import "./stat.css";

interface StatProps {
  /** With the unit, such as `Volume, MW`. */
  readonly label: string;
  readonly note?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The row. */
export function Stats({ children }: { readonly children: ComponentChildren }) {
  return <dl class="stats">{children}</dl>;
}

export function Stat({ label, note, children }: StatProps) {
  return (
    <div class="stat">
      <dt>{label}</dt>
      <dd>
        {children}
        {note !== undefined && <div class="stat-note">{note}</div>}
      </dd>
    </div>
  );
}
