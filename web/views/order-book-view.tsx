// The view of mkt_get_order_book: a contract's book with its depth, and a choice of the listed contracts.

import { Field } from "../components/field.tsx";
import { OrderBook } from "../components/order-book.tsx";
import type { OrderBookResult } from "../contract/tool-results.ts";
import { listedContracts } from "./listed-contracts.ts";
import { useOptions } from "./options.ts";
import type { View, ViewProps } from "./view.ts";

export const orderBookView: View = {
  title: "Order book",
  tool: "mkt_get_order_book",
  // The call may have named no contract, or the book of one: from now on the view stays with what it showed.
  values: (opened, { contractId = opened["contractId"] }) => ({ contractId }),
  suits: () => true,
  Content: OrderBookContent,
};

function OrderBookContent({ result, follow, call, timezone }: ViewProps) {
  const book = result as unknown as OrderBookResult;
  const contracts = useOptions(follow === null ? null : () => listedContracts(call, timezone));
  const options = contracts.some(({ value }) => value === book.contractId)
    ? contracts
    : [{ value: book.contractId, text: book.contractId }, ...contracts];
  return (
    <>
      {follow !== null && options.length > 1 && (
        <Field label="Contract">
          <select value={book.contractId} onChange={(event) => follow({ contractId: event.currentTarget.value })}>
            {options.map(({ value, text }) => <option key={value} value={value}>{text}</option>)}
          </select>
        </Field>
      )}
      <OrderBook book={book} />
    </>
  );
}
