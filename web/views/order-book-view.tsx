// The view of mkt_get_order_book: a contract's book with its depth, and a choice of the listed contracts.

import { OrderBook } from "../components/order-book.tsx";
import type { OrderBookResult } from "../contract/tool-results.ts";
import { contractOption, listedContracts } from "./listed-contracts.ts";
import { useItems } from "./options.ts";
import { Selection } from "./selection.tsx";
import type { View, ViewProps } from "./view.ts";

export const orderBookView: View = {
  title: "Order book",
  tool: "mkt_get_order_book",
  // The call may have named no contract, or the book of one: from now on the view stays with what it showed.
  values: (opened, { contractId }) => contractId === undefined ? opened : { contractId },
  suits: () => true,
  Content: OrderBookContent,
};

function OrderBookContent({ result, values, follow, call, timezone }: ViewProps) {
  const book = result as unknown as OrderBookResult;
  const contracts = useItems(follow === null ? null : () => listedContracts(call));
  const listed = contracts.map((contract) => contractOption(contract, timezone));
  const { contractId } = book;
  const options = listed.some(({ value }) => value === contractId)
    ? listed
    : [{ value: contractId, text: contractId }, ...listed];
  return (
    <>
      {follow !== null && options.length > 1 && (
        <Selection
          label="Contract"
          options={options}
          value={(values["contractId"] as string | undefined) ?? contractId}
          onChange={(contractId) => follow({ contractId })}
        />
      )}
      <h2 class="name">{contractId}</h2>
      <OrderBook book={book} />
    </>
  );
}
