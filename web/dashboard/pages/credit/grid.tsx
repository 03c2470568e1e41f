// The matrix: a row for each entity that grants credit, a column for each that gets it. A grid: one cell is in the tab order,
// and the arrow keys move to the others.

import { useRef, useState } from "preact/hooks";
import { Icon } from "../../../components/icon.tsx";
import "../../../components/data-table.css";
import type { CreditMatrix, CreditPair } from "../../../contract/credit.ts";
import { address } from "../page.ts";
import { usedShare, usedWords } from "./uses.ts";
import { moved, pairKey, type Place, SHOWN, standingOf } from "./words.ts";

interface CreditGridProps {
  readonly matrix: CreditMatrix;
  readonly granting: readonly string[];
  readonly pairs: ReadonlyMap<string, CreditPair>;
  readonly selected: string | null;
  readonly onSelect: (pair: string) => void;
}

export function CreditGrid({ matrix: { entities }, granting, pairs, selected, onSelect }: CreditGridProps) {
  const table = useRef<HTMLTableElement>(null);
  const [place, setPlace] = useState<Place>({ row: 0, column: granting[0] === entities[0]?.id ? 1 : 0 });
  const codes = new Map(entities.map(({ id, code }) => [id, code]));
  const names = new Map(entities.map(({ id, name }) => [id, name]));
  const onKeyDown = (event: KeyboardEvent) => {
    const next = moved(place, event.key, event.ctrlKey, granting.length, entities.length);
    if (next === null) return;
    event.preventDefault();
    setPlace(next);
    table.current?.querySelector<HTMLElement>(`[data-place="${next.row} ${next.column}"]`)?.focus();
  };
  return (
    <div class="table-box credit-box" role="region" aria-label="Matrix of credit">
      <table class="credit-grid" role="grid" ref={table} onKeyDown={onKeyDown} aria-label="Who can trade with whom">
        <thead>
          <tr>
            <th scope="col" class="credit-corner">grants to</th>
            {entities.map(({ id, name, code }) => (
              <th key={id} scope="col" title={name}>
                <span class="credit-column name">{code}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {granting.map((entityId, row) => (
            <tr key={entityId}>
              <th scope="row" title={names.get(entityId)}>
                <a class="name" tabIndex={-1} href={address("entities", entityId)}>{codes.get(entityId) ?? entityId}</a>
              </th>
              {entities.map(({ id }, column) => {
                const key = pairKey(entityId, id);
                return (
                  <Cell
                    key={id}
                    place={`${row} ${column}`}
                    pair={pairs.get(key)}
                    isSame={entityId === id}
                    isSelected={key === selected}
                    isInTabOrder={place.row === row && place.column === column}
                    onFocus={() => {
                      setPlace({ row, column });
                      if (pairs.has(key)) onSelect(key);
                    }}
                  />
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface CellProps {
  readonly place: string;
  /** Absent: there is none, or the acting user can't see it. */
  readonly pair: CreditPair | undefined;
  readonly isSame: boolean;
  readonly isSelected: boolean;
  readonly isInTabOrder: boolean;
  readonly onFocus: () => void;
}

function Cell({ place, pair, isSame, isSelected, isInTabOrder, onFocus }: CellProps) {
  const shared = {
    role: "gridcell",
    tabIndex: isInTabOrder ? 0 : -1,
    "data-place": place,
    "aria-selected": isSelected,
    onFocus,
  } as const;
  if (pair === undefined) {
    const said = isSame ? "the same entity" : "nothing is known";
    return <td {...shared} class={isSame ? "credit-same" : "credit-none"} title={said} aria-label={said} />;
  }
  const standing = standingOf(pair);
  const mostUsed = pair.limits[0];
  const { word, icon } = SHOWN[standing];
  const used = mostUsed === undefined ? "no limit" : `${usedWords(mostUsed)} used`;
  const said = `${pair.entityId} to ${pair.counterpartyId}: ${word}, ${used}`;
  return (
    <td {...shared} class={`credit-cell credit-${standing}`} title={said} aria-label={said}>
      <Icon name={icon} />
      {mostUsed !== undefined && (
        <span class="credit-bar" aria-hidden="true">
          <span style={{ width: `${Math.min(1, usedShare(mostUsed)) * 100}%` }} />
        </span>
      )}
    </td>
  );
}
