// The open orders of the own entity as a table. If they can be changed, each row has buttons that prepare that.

import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { count, price, quantity } from "../../components/format.ts";
import { ErrorNote, Skeleton } from "../../components/notices.tsx";
import { Panel } from "../../components/panel.tsx";
import { TableBox } from "../../components/table-box.tsx";
import type { ErrorReport } from "../../contract/calls.ts";
import { contractLabel } from "../live/listed-contracts.ts";
import { AllOutButton } from "./all-out-button.tsx";
import type { OpenOrder } from "./deed.ts";

/** Rows that are shown. */
const MAX_ROWS = 200;

export interface Links {
  readonly orderAddress: (orderId: string) => string;
  readonly contractAddress: (contractId: string) => string;
}

interface OwnOrdersProps extends Links {
  readonly orders: readonly OpenOrder[] | null;
  readonly error: ErrorReport | null;
  readonly onRetry: () => void;
  /** Of the page; null: orders of all contracts, with a column for them. */
  readonly contractId: string | null;
  readonly onChange?: (order: OpenOrder) => void;
  readonly onCancel?: (order: OpenOrder) => void;
}

export function OwnOrders({ orders, error, onRetry, contractId, ...shown }: OwnOrdersProps) {
  return (
    <Panel
      flush
      title="Own open orders"
      class="trade-orders"
      actions={
        <>
          {orders !== null && <span>{count(orders.length)} of your entity</span>}
          {contractId !== null && <AllOutButton contractId={contractId} />}
          <AllOutButton contractId={null} />
        </>
      }
    >
      {error !== null && <ErrorNote report={error} onRetry={onRetry} />}
      {orders === null
        ? error === null && <Skeleton label="Reading the orders" />
        : orders.length === 0
        ? <p class="trade-note">No open orders.</p>
        : <Rows orders={orders.slice(0, MAX_ROWS)} hasContract={contractId === null} {...shown} />}
      {orders !== null && orders.length > MAX_ROWS && (
        <p class="trade-note">The newest {count(MAX_ROWS)} of {count(orders.length)}.</p>
      )}
    </Panel>
  );
}

interface RowsProps extends Omit<OwnOrdersProps, "orders" | "error" | "onRetry" | "contractId"> {
  readonly orders: readonly OpenOrder[];
  readonly hasContract: boolean;
}

function Rows({ orders, hasContract, orderAddress, contractAddress, onChange, onCancel }: RowsProps) {
  return (
    <TableBox label="Own open orders" maxHeight="320px">
      <table class="data-table">
        <thead>
          <tr>
            <th scope="col">Order</th>
            {onChange !== undefined && <th scope="col">Prepare</th>}
            {hasContract && <th scope="col">Contract</th>}
            <th scope="col">Side</th>
            <th scope="col" class="number">$/MWh</th>
            <th scope="col" class="number">Open, MW</th>
            <th scope="col" class="number">Filled, MW</th>
            <th scope="col">Status</th>
            <th scope="col">User</th>
          </tr>
        </thead>
        <tbody>
          {orders.map((order) => (
            <tr key={order.id}>
              <th scope="row">
                <a class="name" href={orderAddress(order.id)}>{order.id}</a>
              </th>
              {onChange !== undefined && (
                <td>
                  <Button small onClick={() => onChange(order)}>Change</Button>{" "}
                  <Button small onClick={() => onCancel?.(order)}>Cancel</Button>
                </td>
              )}
              {hasContract && (
                <td>
                  <a class="name" href={contractAddress(order.contractId)}>{contractLabel(order.contractId)}</a>
                </td>
              )}
              <td>
                <Badge tone={order.side === "BUY" ? "buy" : "sell"}>{order.side}</Badge>
              </td>
              <td class="number">{price(order.price)}</td>
              <td class="number">{quantity(order.remainingQuantity)}</td>
              <td class="number">{quantity(order.filledQuantity)}</td>
              <td>{order.status}</td>
              <td class="name">{order.userId}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  );
}
