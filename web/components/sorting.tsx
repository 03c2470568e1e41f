// Sorting of a table by the columns that are clicked on.

import type { ComponentChildren } from "preact";
import { useContext, useMemo } from "preact/hooks";
import { Surroundings } from "./surroundings.ts";

type Value = string | number | null | undefined;

export interface Sorting<Column extends string> {
  readonly column: Column;
  readonly descending: boolean;
}

/** Absent values come last in both directions. Equal rows keep their order. */
export function sorted<Row, Column extends string>(
  rows: readonly Row[],
  { column, descending }: Sorting<Column>,
  valueOf: (row: Row, column: Column) => Value,
): Row[] {
  const direction = descending ? -1 : 1;
  return rows.map((row) => ({ row, value: sortable(valueOf(row, column)) })).sort((a, b) => {
    if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null);
    if (typeof a.value === "string" || typeof b.value === "string") {
      return direction * String(a.value).localeCompare(String(b.value), "en", { numeric: true });
    }
    return direction * (a.value - b.value);
  }).map(({ row }) => row);
}

/** A column that an address names, and that no table has, may lead to anything. */
function sortable(value: unknown): string | number | null {
  return typeof value === "string" || typeof value === "number" ? value : null;
}

/** `name`: of the parameter in the address, if the program keeps it there. Tables of one page have different names. */
export function useSorting<Column extends string>(first: Sorting<Column>, name = "sort") {
  const { useAddressed } = useContext(Surroundings);
  const [text, change] = useAddressed(name, sortingText(first));
  const sorting = useMemo(() => sortingOf<Column>(text), [text]);
  /** The same column again turns the order around. Numbers are first shown from the greatest down. */
  const sortBy = (column: Column, isNumber: boolean) =>
    change(
      sortingText({ column, descending: sorting.column === column ? !sorting.descending : isNumber }),
    );
  return { sorting, sortBy };
}

/** `profit`, or `-profit` from the greatest down. */
function sortingText({ column, descending }: Sorting<string>): string {
  return `${descending ? "-" : ""}${column}`;
}

function sortingOf<Column extends string>(text: string): Sorting<Column> {
  const descending = text.startsWith("-");
  return { column: (descending ? text.slice(1) : text) as Column, descending };
}

interface SortHeadProps<Column extends string> {
  readonly column: Column;
  readonly sorting: Sorting<Column>;
  readonly sortBy: (column: Column, isNumber: boolean) => void;
  readonly number?: boolean;
  readonly title?: string;
  readonly children: ComponentChildren;
}

export function SortHead<Column extends string>(props: SortHeadProps<Column>) {
  const { column, sorting, sortBy, number = false, title, children } = props;
  const isSorted = sorting.column === column;
  const direction = sorting.descending ? "descending" : "ascending";
  return (
    <th scope="col" class={number ? "number" : undefined} aria-sort={isSorted ? direction : undefined} title={title}>
      <button
        type="button"
        onClick={() =>
          sortBy(column, number)}
      >
        {children}
        <span class="sort-arrow" aria-hidden="true">{isSorted ? (sorting.descending ? " ↓" : " ↑") : ""}</span>
      </button>
    </th>
  );
}

interface NumberHeadsProps<Column extends string> extends Pick<SortHeadProps<Column>, "sorting" | "sortBy"> {
  readonly columns: readonly (readonly [column: Column, heading: string, title?: string])[];
}

/** The headings of columns of numbers. */
export function NumberHeads<Column extends string>({ columns, sorting, sortBy }: NumberHeadsProps<Column>) {
  return (
    <>
      {columns.map(([column, heading, title]) => (
        <SortHead key={column} column={column} sorting={sorting} sortBy={sortBy} title={title} number>
          {heading}
        </SortHead>
      ))}
    </>
  );
}
