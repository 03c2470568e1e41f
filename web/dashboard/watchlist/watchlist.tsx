// The contracts that somebody watches: best prices, last price, volume. Kept in the browser, for whoever acts.

import { useEffect } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { Delta } from "../../components/delta.tsx";
import { count, price, quantity, signedPrice } from "../../components/format.ts";
import { EmptyState } from "../../components/notices.tsx";
import { Panel } from "../../components/panel.tsx";
import { changeOf } from "../../components/spark-path.ts";
import { TableBox } from "../../components/table-box.tsx";
import { ContractPicker } from "../contract-picker/contract-picker.tsx";
import { owner } from "../kept/kept.ts";
import { MAX_CONTRACTS, toggleWatched, watchedContracts } from "../kept/watched-contracts.ts";
import { contractIds, contractLabel, contractSignal } from "../live/listed-contracts.ts";
import { sparkPrices, startSparks } from "../live/sparks.ts";
import { MAX_FOLLOWED } from "../live/stream.ts";
import { spreadOf } from "../pages/contracts/contract-order.ts";
import { PageHead } from "../pages/page-head.tsx";
import { address, addressWith } from "../pages/page.ts";

export default function Watchlist() {
  useEffect(startSparks, []);
  const ids = watchedContracts.value;
  return (
    <div class="page">
      <PageHead title="Watchlist">
        <a href={addressWith("side-by-side", { contracts: ids.slice(0, MAX_FOLLOWED).join(",") })}>Side by side</a>
      </PageHead>
      <ContractPicker
        label="Contract"
        verb="Watch"
        unavailable={reasonNot(ids.length)}
        onPick={(id) => {
          if (!ids.includes(id)) toggleWatched(id);
        }}
      />
      {ids.length === 0
        ? (
          <EmptyState title="No contract is watched">
            Choose one above, or press <kbd>w</kbd> on the page of a contract.
          </EmptyState>
        )
        : (
          <Panel title={`${count(ids.length)} watched`} actions="kept in this browser" flush>
            <Contracts ids={ids} />
          </Panel>
        )}
    </div>
  );
}

function reasonNot(length: number): string | null {
  if (owner.value === null) return "Nobody acts on this server now";
  return length >= MAX_CONTRACTS ? `The watchlist is full (${MAX_CONTRACTS})` : null;
}

const HEADINGS = ["Bid, $/MWh", "Ask, $/MWh", "Spread, $/MWh", "Last, $/MWh", "Change, $/MWh", "Traded, MW", "Orders"];

function Contracts({ ids }: { readonly ids: readonly string[] }) {
  return (
    <TableBox label="Watched contracts" maxHeight="calc(100dvh - 240px)">
      <table class="data-table">
        <thead>
          <tr>
            <th scope="col">Contract</th>
            {HEADINGS.map((heading) => <th key={heading} scope="col" class="number">{heading}</th>)}
            <th scope="col" class="table-buttons">
              <span class="visually-hidden">Remove</span>
            </th>
          </tr>
        </thead>
        <tbody>{ids.map((id) => <Row key={id} contractId={id} />)}</tbody>
      </table>
    </TableBox>
  );
}

function Row({ contractId }: { readonly contractId: string }) {
  // Tells when the contract comes or goes.
  void contractIds.value;
  const row = contractSignal(contractId)?.value;
  const change = changeOf(sparkPrices(contractId).value);
  return (
    <tr>
      <th scope="row">
        <a class="name" href={address("contract", contractId)}>{contractLabel(contractId)}</a>
      </th>
      {row === undefined ? <td colSpan={HEADINGS.length}>not listed now</td> : (
        <>
          <td class="number">{price(row.bestBid)}</td>
          <td class="number">{price(row.bestAsk)}</td>
          <td class="number">{price(spreadOf(row))}</td>
          <td class="number">{price(row.lastPrice)}</td>
          <td class="number">{change !== null && <Delta value={change} text={signedPrice(change)} />}</td>
          <td class="number">{quantity(row.tradedQuantity)}</td>
          <td class="number">{count(row.workingOrders)}</td>
        </>
      )}
      <td class="table-buttons">
        <Button
          small
          kind="quiet"
          icon="close"
          label={`No longer watch ${contractLabel(contractId)}`}
          onClick={() => toggleWatched(contractId)}
        />
      </td>
    </tr>
  );
}
