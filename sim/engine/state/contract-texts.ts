// The JSON texts that the messages about one contract have in common. They never change, except for the shown levels.

import { jsonOf } from "../text/text-writer.ts";
import { ShownBook } from "./shown-book.ts";

export class ContractTexts {
  /** The properties that say where an order, a fill or a trade is: engineId, contractId, productCode, marketId. */
  readonly place: string;
  /** The contract's id, quoted. */
  readonly id: string;
  /** An ENGINE state up to its levels. */
  readonly engineState: string;
  /** The data of change.book up to its levels. */
  readonly bookChange: string;
  readonly book = new ShownBook();

  constructor(
    contract: { readonly id: string; readonly engineId: string },
    { code, marketId }: { readonly code: string; readonly marketId: string },
  ) {
    const [id, engine, product, market] = [contract.id, contract.engineId, code, marketId]
      .map((text) => jsonOf(text)) as [string, string, string, string];
    const location = `"contractId":${id},"productCode":${product}`;
    this.id = id;
    this.place = `"engineId":${engine},${location},"marketId":${market}`;
    const statePath = jsonOf(`/ENGINE/${contract.engineId}`);
    this.engineState = `{"statePath":${statePath},"state":{"id":${engine},${location},"marketId":${market},"bids":`;
    this.bookChange = `{${location},"engineId":${engine},"bids":`;
  }
}
