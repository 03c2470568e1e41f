// The table of a day: nodes by hours, each cell coloured by its value, and a link to its contract. One cell is in the tab
// order, and the arrow keys move to the others. Hours go across, or down if the page is narrow.

import { useRef, useState } from "preact/hooks";
import { eventName, seconds } from "../../../components/spot-news.ts";
import type { SpotEvent } from "../../../contract/tool-results.ts";
import type { GridDay, GridHour, GridRow } from "./hour-grid.ts";
import { firstPlace, type Place, placeAfter } from "./map-moves.ts";
import { EXTREMES, shortly, shown } from "./map-words.ts";
import type { Ends, Mode, Shades } from "./map-values.ts";

const HOUR = 3_600;

export interface DayProps {
  readonly day: GridDay;
  readonly events: readonly SpotEvent[];
  readonly mode: Mode;
  /** Null: no value is known. */
  readonly shades: Shades | null;
  readonly valueOf: (contractId: string | null) => number | null;
  /** The address of a contract's page. */
  readonly addressOf: (contractId: string) => string;
}

interface DayTableProps extends DayProps {
  /** Whether hours go down. */
  readonly isTall: boolean;
  /** By row. */
  readonly ends: readonly Ends[];
}

export function DayTable(
  { day: { title, hours, rows }, events, mode, shades, valueOf, addressOf, isTall, ends }: DayTableProps,
) {
  const table = useRef<HTMLTableElement>(null);
  const [chosen, setPlace] = useState<Place | null>(null);
  /** As the table is drawn. */
  const idAt = ({ row, column }: Place) =>
    (isTall ? rows[column]?.contractIds[row] : rows[row]?.contractIds[column]) ?? null;
  const has = (place: Place) => idAt(place) !== null;
  const size = isTall ? { rows: hours.length, columns: rows.length } : { rows: rows.length, columns: hours.length };
  const place = chosen !== null && has(chosen) ? chosen : firstPlace(size.rows, size.columns, has);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = place === null ? null : placeAfter(place, event.key, event.ctrlKey, size, has);
    if (next === null) return;
    event.preventDefault();
    setPlace(next);
    table.current?.querySelector<HTMLElement>(`[data-place="${next.row} ${next.column}"]`)?.focus();
  };
  const cell = (row: number, column: number) => {
    const [ofRow, hour] = isTall ? [column, row] : [row, column];
    const contractId = idAt({ row, column });
    const end = ends[ofRow]!;
    const mark = end?.lowest === hour ? 0 : end?.highest === hour ? 1 : null;
    return (
      <Cell
        key={column}
        href={contractId === null ? null : addressOf(contractId)}
        name={`${rows[ofRow]!.name}, hour ${hours[hour]!.number} of ${title}`}
        mode={mode}
        shades={shades}
        value={valueOf(contractId)}
        mark={mark}
        place={`${row} ${column}`}
        isInTabOrder={place?.row === row && place.column === column}
        onFocus={() => setPlace({ row, column })}
      />
    );
  };
  const hourHead = (hour: GridHour, scope: "col" | "row") => (
    <HourHead key={hour.from} hour={hour} scope={scope} events={events} />
  );
  const rowHead = (row: GridRow, scope: "col" | "row") => (
    <th key={row.key} scope={scope} class="glance-row name">{row.name}</th>
  );
  return (
    <div class="table-box" role="region" aria-label={`Map of ${title}`}>
      <table
        class={`glance-map ${isTall ? "glance-tall" : ""}`}
        ref={table}
        onKeyDown={onKeyDown}
        aria-label={`Hours of ${title}`}
      >
        <thead>
          <tr>
            <th scope="col">Hour</th>
            {isTall ? rows.map((row) => rowHead(row, "col")) : hours.map((hour) => hourHead(hour, "col"))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: size.rows }, (_, row) => (
            <tr key={row}>
              {isTall ? hourHead(hours[row]!, "row") : rowHead(rows[row]!, "row")}
              {Array.from({ length: size.columns }, (_, column) => cell(row, column))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface HourHeadProps {
  readonly hour: GridHour;
  readonly scope: "col" | "row";
  readonly events: readonly SpotEvent[];
}

function HourHead({ hour: { from, number, clock }, scope, events }: HourHeadProps) {
  const acting = events.filter(({ startedAt, endsAt }) => seconds(startedAt) < from + HOUR && seconds(endsAt) > from);
  const names = acting.map(({ type, node }) => `${eventName(type)}${node === null ? "" : ` at ${node}`}`).join(", ");
  return (
    <th
      scope={scope}
      class={names === "" ? undefined : "glance-event"}
      title={`from ${clock}${names === "" ? "" : `: ${names}`}`}
    >
      {number} {scope === "row" && <span class="glance-clock">{clock}</span>}
      {names !== "" && <span class="visually-hidden">, {names}</span>}
    </th>
  );
}

interface CellProps {
  /** Null: no contract is listed. */
  readonly href: string | null;
  /** `NORTH, hour 22 of Tue, Nov 24`. */
  readonly name: string;
  readonly mode: Mode;
  readonly shades: Shades | null;
  readonly value: number | null;
  /** 0: the lowest of the day; 1: the highest. */
  readonly mark: 0 | 1 | null;
  readonly place: string;
  readonly isInTabOrder: boolean;
  readonly onFocus: () => void;
}

function Cell({ href, name, mode, shades, value, mark, place, isInTabOrder, onFocus }: CellProps) {
  if (href === null) return <td class="glance-gap" title={`${name}: no contract is listed`} />;
  const step = value === null || shades === null ? "" : ` glance-${mode}-${shades.stepOf(value)}`;
  const end = mark === null ? "" : ` ${["glance-lowest", "glance-highest"][mark]}`;
  const said = `${name}: ${value === null ? "unknown" : shown(mode, value)}${
    mark === null ? "" : `, ${EXTREMES[mode][mark]}`
  }`;
  return (
    <td class={`glance-cell${step}${end}`}>
      <a
        href={href}
        title={said}
        data-place={place}
        tabIndex={isInTabOrder ? 0 : -1}
        onFocus={onFocus}
      >
        <span class="visually-hidden">{said}</span>
        <span class="glance-exact" aria-hidden="true">{shown(mode, value)}</span>
        <span class="glance-dollars" aria-hidden="true">{shortly(mode, value)}</span>
      </a>
    </td>
  );
}
