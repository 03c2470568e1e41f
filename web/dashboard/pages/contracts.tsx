// All listed contracts with best prices, last price, volume and a spark line.

import { price, quantity } from "../../components/format.ts";
import { market } from "../live/market-store.ts";
import { address, type PageProps } from "./page.ts";

export default function Contracts(_: PageProps) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Contract</th>
          <th scope="col">Bid, $/MWh</th>
          <th scope="col">Ask, $/MWh</th>
          <th scope="col">Last, $/MWh</th>
          <th scope="col">Volume, MW</th>
        </tr>
      </thead>
      <tbody>
        {[...market.contracts.value.values()].map((row) => (
          <tr key={row.contractId}>
            <th scope="row">
              <a href={address("contract", row.contractId)}>{row.contractId}</a>
            </th>
            <td>{price(row.bestBid)}</td>
            <td>{price(row.bestAsk)}</td>
            <td>{price(row.lastPrice)}</td>
            <td>{quantity(row.tradedQuantity)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
