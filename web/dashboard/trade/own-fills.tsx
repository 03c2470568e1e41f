// The newest fills of the own entity.

import { Badge } from "../../components/badge.tsx";
import { price, quantity } from "../../components/format.ts";
import { ErrorNote, Skeleton } from "../../components/notices.tsx";
import { Panel } from "../../components/panel.tsx";
import { TableBox } from "../../components/table-box.tsx";
import { contractLabel } from "../live/listed-contracts.ts";
import { Time } from "../live/time.tsx";
import type { Links } from "./own-orders.tsx";
import { type OwnFill, useOwnFills } from "./own-reads.ts";

interface OwnFillsProps extends Links {
  readonly entityId: string;
  /** Null: of every contract, with a column for them. */
  readonly contractId: string | null;
}

export function OwnFills({ entityId, contractId, ...links }: OwnFillsProps) {
  const { value, error, reload } = useOwnFills(entityId, contractId);
  return (
    <Panel flush title="Own fills" class="trade-fills">
      {error !== null && <ErrorNote report={error} onRetry={reload} />}
      {value === null
        ? error === null && <Skeleton label="Reading the fills" />
        : value.length === 0
        ? <p class="trade-note">No fills that the market still knows.</p>
        : <Rows fills={value} hasContract={contractId === null} {...links} />}
    </Panel>
  );
}

interface RowsProps extends Links {
  readonly fills: readonly OwnFill[];
  readonly hasContract: boolean;
}

function Rows({ fills, hasContract, orderAddress, contractAddress }: RowsProps) {
  return (
    <TableBox label="Own fills, newest first" maxHeight="260px">
      <table class="data-table">
        <thead>
          <tr>
            <th scope="col">Time</th>
            {hasContract && <th scope="col">Contract</th>}
            <th scope="col">Side</th>
            <th scope="col" class="number">$/MWh</th>
            <th scope="col" class="number">MW</th>
            <th scope="col">With</th>
            <th scope="col">Order</th>
          </tr>
        </thead>
        <tbody>
          {fills.map((fill) => (
            <tr key={fill.id}>
              <td>
                <Time value={fill.time} parts="dateTime" />
              </td>
              {hasContract && (
                <td>
                  <a class="name" href={contractAddress(fill.contractId)}>{contractLabel(fill.contractId)}</a>
                </td>
              )}
              <td>
                <Badge tone={fill.side === "BUY" ? "buy" : "sell"}>{fill.side}</Badge>
              </td>
              <td class="number">{price(fill.price)}</td>
              <td class="number">{quantity(fill.quantity)}</td>
              <td class="name">{fill.counterpartyId}</td>
              <td>
                <a class="name" href={orderAddress(fill.orderId)}>{fill.orderId}</a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  );
}
