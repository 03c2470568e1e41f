// The JSON texts that the messages about one contract have in common. They never change, except for the shown levels.

import { jsonOf } from "../text/text-writer.ts";
import { ShownBook } from "./shown-book.ts";

export class ContractTexts {
  /** Of an order: from the clientOrderId to the entityId. */
  readonly ofOrder: string;
  /** Of a fill: from its tradeId to the entityId. */
  readonly ofFill: string;
  /** Of a trade: from its id to the number of the buying order. */
  readonly ofTrade: string;
  /** Of the details of an order's audit event: up to the price, by side. */
  readonly ofAudit: readonly [buy: string, sell: string];
  /** The contract's id, quoted. */
  readonly id: string;
  /** An ENGINE state up to its levels. */
  readonly engineState: string;
  /** The data of change.book up to its levels. */
  readonly bookChange: string;
  readonly book = new ShownBook();

  constructor(
    contract: { readonly id: string; readonly bookId: string },
    { code, marketId }: { readonly code: string; readonly marketId: string },
  ) {
    const [id, book, product, market] = [contract.id, contract.bookId, code, marketId]
      .map((text) => jsonOf(text)) as [string, string, string, string];
    const location = `"contractId":${id},"productCode":${product}`;
    this.id = id;
    const place = `"engineId":${book},${location},"marketId":${market}`;
    this.ofOrder = `,${place},"entityId":`;
    this.ofFill = `",${place},"entityId":`;
    this.ofTrade = `",${place},"buyOrderId":"ORD-`;
    const details = `{"contractId":${id},"side":`;
    this.ofAudit = [`${details}0,"price":`, `${details}1,"price":`];
    const statePath = jsonOf(`/ENGINE/${contract.bookId}`);
    this.engineState = `{"statePath":${statePath},"state":{"id":${book},${location},"marketId":${market},"bids":`;
    this.bookChange = `{${location},"engineId":${book},"bids":`;
  }
}
