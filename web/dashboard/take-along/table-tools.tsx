// Copies and saves a table: the rows that pass its filter, in their order, with what the page shows of them.

import { useEffect, useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { count } from "../../components/format.ts";
import type { TableToolsProps } from "../../components/surroundings.ts";
import { marketNow } from "../live/market-clock.ts";
import { csvText, fileName, type Grid, tabbedText } from "./csv.ts";
import { copyText, saveFile } from "./hand-over.ts";
import { shownTable } from "./shown-table.ts";
import "./take-along.css";

/** How long the outcome can be read. */
const SAID_MS = 5_000;
/** Excel takes a file without this mark for one of an old code page; a file of ASCII needs none. */
const UTF8_MARK = "\ufeff";

/** Of a table that is whole on the page. */
export function TableTools({ label, table }: TableToolsProps) {
  const grid = () => {
    const shown = table();
    return shown === null ? { headings: [], rows: [] } : shownTable(shown);
  };
  return <GridTools label={label} grid={grid} />;
}

interface GridToolsProps {
  /** What the table shows. */
  readonly label: string;
  /** What is taken along, as it is at that moment. */
  readonly grid: () => Grid;
}

/** Of a table that draws only the rows in view. */
export function GridTools({ label, grid }: GridToolsProps) {
  const [said, say] = useSaid();
  const copy = () => {
    const taken = grid();
    copyText(tabbedText(taken)).then(
      () => say(`${rowsOf(taken)} copied`),
      () => say("The browser does not allow copying"),
    );
  };
  const save = () => {
    const taken = grid();
    const text = csvText(taken);
    const mark = /\P{ASCII}/u.test(text) ? UTF8_MARK : "";
    saveFile(fileName(label, marketNow.peek(), "csv"), new Blob([mark + text], { type: "text/csv;charset=utf-8" }));
    say(`${rowsOf(taken)} saved`);
  };
  return (
    <div class="take-along">
      <span role="status">{said}</span>
      <Button small kind="quiet" icon="copy" label={`Copy ${label}`} onClick={copy}>Copy</Button>
      <Button small kind="quiet" icon="save" label={`Save as CSV: ${label}`} onClick={save}>CSV</Button>
    </div>
  );
}

function rowsOf({ rows }: Grid): string {
  return rows.length === 1 ? "1 row" : `${count(rows.length)} rows`;
}

/** What became of the last click, for some seconds. */
export function useSaid() {
  const [said, say] = useState("");
  useEffect(() => {
    if (said === "") return;
    const timer = setTimeout(() => say(""), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  return [said, say] as const;
}
