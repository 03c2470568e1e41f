// Every credit limit with its use, the most used first; and the pairs that have none. Also what a phone shows in place of the
// matrix. In a narrow box what is least needed goes first: what a limit is for; then what is left, if what would be left after
// own orders is there; then the words of who can trade, whose pictures stay (credit.css).

import { Badge } from "../../../components/badge.tsx";
import { count, percent } from "../../../components/format.ts";
import { sorted, SortHead, useSorting } from "../../../components/sorting.tsx";
import { TableBox } from "../../../components/table-box.tsx";
import type { CreditMatrix, CreditPair, CreditUse } from "../../../contract/credit.ts";
import { contractLabel } from "../../live/listed-contracts.ts";
import {
  leftAfterOrders,
  leftWords,
  sortValue,
  usageRows,
  type UseColumn,
  usedShare,
  usedWords,
  type UseRow,
  warningOf,
  warningsIn,
} from "./uses.ts";
import { pairKey, SHOWN, standingOf } from "./words.ts";

/** Rows that are drawn. */
const MAX_ROWS = 100;

interface CreditTableProps {
  readonly matrix: CreditMatrix;
  readonly granting: readonly string[];
  /** Whose pairs are shown; empty: of all. */
  readonly entityId: string;
  readonly onEntity: (entityId: string) => void;
  readonly selected: string | null;
  readonly onSelect: (pair: string) => void;
}

export function CreditTable({ matrix, granting, entityId, onEntity, selected, onSelect }: CreditTableProps) {
  const { sorting, sortBy } = useSorting<UseColumn>({ column: "used", descending: true });
  const names = new Map(matrix.entities.map(({ id, name }) => [id, name]));
  const pairs = entityId === "" ? matrix.pairs : matrix.pairs.filter((pair) => pair.entityId === entityId);
  const rows = sorted(usageRows(pairs), sorting, sortValue);
  const hasOrders = rows.some(({ use }) => (use?.ownOrders ?? 0) > 0);
  const granter = granting.length === 1 ? granting[0] : entityId || undefined;
  const head = { sorting, sortBy };
  return (
    <>
      <div class="credit-top">
        {granting.length > 1 && (
          <label class="credit-entity">
            Entity
            <select value={entityId} onChange={(event) => onEntity(event.currentTarget.value)}>
              <option value="">all</option>
              {granting.map((id) => <option key={id} value={id}>{names.get(id) ?? id}</option>)}
            </select>
          </label>
        )}
        <Warnings pairs={pairs} />
      </div>
      {rows.length > MAX_ROWS && (
        <p class="credit-note">The first {count(MAX_ROWS)} of {count(rows.length)} rows are shown.</p>
      )}
      <TableBox label="Use of credit limits">
        <table class={`data-table credit-list ${hasOrders ? "credit-list-orders" : ""}`}>
          <thead>
            <tr>
              <SortHead {...head} column="pair">
                {granter === undefined ? "Who grants whom" : `${granter} grants`}
              </SortHead>
              <th scope="col">For</th>
              <SortHead {...head} column="used" number title="Of the limit, by open trades">Used</SortHead>
              <SortHead {...head} column="left" number title="Sorted by the share of the limit">Left</SortHead>
              {hasOrders && (
                <SortHead
                  {...head}
                  column="after"
                  number
                  title="If this counterparty alone filled all open orders of your entity, at their prices"
                >
                  Left after own orders
                </SortHead>
              )}
              <SortHead {...head} column="standing">Now</SortHead>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, MAX_ROWS).map((row) => (
              <Row
                key={row.key}
                row={row}
                names={names}
                hasOneGranter={granter !== undefined}
                hasOrders={hasOrders}
                isSelected={pairKey(row.pair.entityId, row.pair.counterpartyId) === selected}
                onSelect={onSelect}
              />
            ))}
          </tbody>
        </table>
      </TableBox>
    </>
  );
}

function Warnings({ pairs }: { readonly pairs: readonly CreditPair[] }) {
  const { usedUp, nearlyUsed, tooLittle, documents, leftOut } = warningsIn(pairs);
  if (usedUp + nearlyUsed + tooLittle + documents + leftOut === 0) {
    return <Badge tone="good" icon="check">no limit above 80 %, all documents in place</Badge>;
  }
  return (
    <>
      {usedUp > 0 && <Badge tone="danger" icon="stop">{count(usedUp)} used up</Badge>}
      {nearlyUsed > 0 && <Badge tone="warning" icon="alert">{count(nearlyUsed)} above 80 %</Badge>}
      {tooLittle > 0 && (
        <Badge tone="warning" icon="alert">{count(tooLittle)} less than own open orders would use</Badge>
      )}
      {documents > 0 && <Badge tone="warning" icon="alert">documents missing: {count(documents)}</Badge>}
      {leftOut > 0 && <span class="credit-note">{count(leftOut)} limits that are used less are left out</span>}
    </>
  );
}

interface RowProps {
  readonly row: UseRow;
  readonly names: ReadonlyMap<string, string>;
  /** The heading names it. */
  readonly hasOneGranter: boolean;
  readonly hasOrders: boolean;
  readonly isSelected: boolean;
  readonly onSelect: (pair: string) => void;
}

function Row({ row: { pair, use }, names, hasOneGranter, hasOrders, isSelected, onSelect }: RowProps) {
  const { entityId, counterpartyId } = pair;
  const after = use === null ? null : leftAfterOrders(use);
  return (
    <tr aria-selected={isSelected}>
      <th scope="row">
        <button
          type="button"
          class="credit-open name"
          title={`${names.get(entityId) ?? entityId} to ${names.get(counterpartyId) ?? counterpartyId}`}
          onClick={() => onSelect(pairKey(entityId, counterpartyId))}
        >
          {hasOneGranter ? counterpartyId : `${entityId} → ${counterpartyId}`}
        </button>
      </th>
      <td class="name">{use === null ? "" : covers(use)}</td>
      <td class="number">{use === null ? "no limit" : <Used use={use} />}</td>
      <td class="number">{use === null ? "" : leftWords(use.available, use)}</td>
      {hasOrders && (
        <td class={`number ${after !== null && after < 0 ? "credit-short" : ""}`}>
          {use === null || after === null ? "" : leftWords(after, use)}
        </td>
      )}
      <td class="credit-now">
        <StandingBadge pair={pair} />
      </td>
    </tr>
  );
}

/** What a limit is for. */
export function covers({ contractId }: CreditUse): string {
  return contractId === null ? "all contracts" : contractLabel(contractId);
}

export function StandingBadge({ pair }: { readonly pair: CreditPair }) {
  const { tone, icon, word } = SHOWN[standingOf(pair)];
  return <Badge tone={tone} icon={icon}>{word}</Badge>;
}

/** A bar, with the share and the amounts, and a warning if there is one. */
export function Used({ use, isExact = false }: { readonly use: CreditUse; readonly isExact?: boolean }) {
  const share = usedShare(use);
  const warning = warningOf(use);
  return (
    <span class="credit-used">
      {warning !== null && <Badge tone={warning.tone} icon={warning.icon}>{warning.word}</Badge>}
      <span class={`credit-bar badge-${warning?.tone ?? "good"}`} aria-hidden="true">
        <span style={{ width: `${Math.min(1, share) * 100}%` }} />
      </span>
      <span class="credit-share">{percent(share)}</span>
      <span class="credit-amounts">{usedWords(use, { isExact })}</span>
    </span>
  );
}
