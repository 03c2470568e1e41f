// The counterparties of one entity, as a table. Also what a phone shows in place of the matrix.

import { Badge } from "../../components/badge.tsx";
import { TableBox } from "../../components/table-box.tsx";
import type { CreditMatrix, CreditPair } from "../../contract/credit.ts";
import { leftWords, pairKey, shareLeft, SHOWN, standingOf } from "./credit-words.ts";

interface CreditListProps {
  readonly matrix: CreditMatrix;
  readonly granting: readonly string[];
  readonly entityId: string;
  readonly onEntity: (entityId: string) => void;
  readonly selected: string | null;
  readonly onSelect: (pair: string) => void;
}

export function CreditList({ matrix, granting, entityId, onEntity, selected, onSelect }: CreditListProps) {
  const names = new Map(matrix.entities.map(({ id, name }) => [id, name]));
  const pairs = matrix.pairs.filter((pair) => pair.entityId === entityId);
  return (
    <>
      {granting.length > 1 && (
        <label class="credit-entity">
          Entity
          <select value={entityId} onChange={(event) => onEntity(event.currentTarget.value)}>
            {granting.map((id) => <option key={id} value={id}>{names.get(id) ?? id}</option>)}
          </select>
        </label>
      )}
      <TableBox label={`Counterparties of ${entityId}`}>
        <table class="data-table credit-list">
          <thead>
            <tr>
              <th scope="col">Counterparty</th>
              <th scope="col">Now</th>
              <th scope="col">Left of the limit</th>
            </tr>
          </thead>
          <tbody>
            {pairs.map((pair) => {
              const key = pairKey(pair.entityId, pair.counterpartyId);
              return (
                <tr key={key} aria-selected={key === selected}>
                  <th scope="row">
                    <button type="button" class="credit-open name" onClick={() => onSelect(key)}>
                      {names.get(pair.counterpartyId) ?? pair.counterpartyId}
                    </button>
                  </th>
                  <td>
                    <StandingBadge pair={pair} />
                  </td>
                  <td>
                    <Left pair={pair} />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </TableBox>
    </>
  );
}

export function StandingBadge({ pair }: { readonly pair: CreditPair }) {
  const { tone, icon, word } = SHOWN[standingOf(pair)];
  return <Badge tone={tone} icon={icon}>{word}</Badge>;
}

export function Left({ pair }: { readonly pair: CreditPair }) {
  const share = shareLeft(pair);
  return (
    <span class="credit-left">
      {share !== null && (
        <span class={`credit-bar credit-${standingOf(pair)}`} aria-hidden="true">
          <span style={{ width: `${share * 100}%` }} />
        </span>
      )}
      <span>{leftWords(pair)}</span>
    </span>
  );
}
