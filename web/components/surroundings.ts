// What the program around the shared components offers them. The dashboard copies and saves tables and charts, and keeps in its
// address what a table is sorted by. A view in a chat host, whose frame allows neither, offers nothing.

import { type ComponentType, createContext } from "preact";
import { useState } from "preact/hooks";

export interface TableToolsProps {
  /** What the table shows. */
  readonly label: string;
  /** The table as it is shown now; null: it has gone. */
  readonly table: () => HTMLTableElement | null;
}

export interface PictureToolProps {
  /** What the picture shows. It is of the element around the tool, without details that open and close. */
  readonly label: string;
}

interface Surroundings {
  /** Shown below each table. */
  readonly TableTools: ComponentType<TableToolsProps> | null;
  /** Shown below each chart. */
  readonly PictureTool: ComponentType<PictureToolProps> | null;
  /** A hook, like useState with a text. `name`: of the parameter in the address. */
  readonly useAddressed: (name: string, first: string) => readonly [value: string, change: (value: string) => void];
}

export const Surroundings = createContext<Surroundings>({
  TableTools: null,
  PictureTool: null,
  useAddressed: (_name, first) => useState(first),
});
