// The box in which a wide or long table scrolls. It takes the focus, so that the keyboard can scroll it.

import type { ComponentChildren } from "preact";
import "./data-table.css";

interface TableBoxProps {
  /** What the table shows, for screen readers. */
  readonly label: string;
  /** CSS length; without it the box is as high as its table. */
  readonly maxHeight?: string;
  readonly children: ComponentChildren;
}

export function TableBox({ label, maxHeight, children }: TableBoxProps) {
  return (
    <div class="table-box" role="region" aria-label={label} tabIndex={0} style={{ maxHeight }}>
      {children}
    </div>
  );
}
