// The box in which a wide or long table scrolls. It takes the focus, so that the keyboard can scroll it. Below it is what
// copies and saves the table, if the program around it offers that.

import type { ComponentChildren } from "preact";
import { useContext, useRef } from "preact/hooks";
import "./data-table.css";
import { Surroundings } from "./surroundings.ts";

interface TableBoxProps {
  /** What the table shows, for screen readers and for the name of a saved file. */
  readonly label: string;
  /** CSS length; without it the box is as high as its table. */
  readonly maxHeight?: string;
  readonly children: ComponentChildren;
}

export function TableBox({ label, maxHeight, children }: TableBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  const { TableTools } = useContext(Surroundings);
  return (
    <>
      <div ref={box} class="table-box" role="region" aria-label={label} tabIndex={0} style={{ maxHeight }}>
        {children}
      </div>
      {TableTools !== null && (
        <TableTools
          label={label}
          table={() => box.current?.querySelector<HTMLTableElement>("table") ?? null}
        />
      )}
    </>
  );
}
