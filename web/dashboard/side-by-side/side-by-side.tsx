// Several contracts beside each other: best prices, book and price history of each. Which ones is in the address, so it can be
// shared; under a name it is also kept in the browser, for whoever acts.

import { useEffect } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { Choice } from "../../components/choice.tsx";
import { EmptyState } from "../../components/notices.tsx";
import { useAddressed } from "../address/address-state.ts";
import { ContractPicker } from "../contract-picker/contract-picker.tsx";
import { keptTexts } from "../kept/kept-text.ts";
import { follow, MAX_FOLLOWED } from "../live/stream.ts";
import { PageHead } from "../pages/page-head.tsx";
import { address } from "../pages/page.ts";
import { ContractPane } from "./contract-pane.tsx";
import { Layouts } from "./layouts.tsx";
import "./side-by-side.css";

const PARTS = [["both", "Book and prices"], ["book", "Book"], ["prices", "Prices"]] as const;

export default function SideBySide() {
  const [list, setList] = useAddressed("contracts", "");
  const [given, setParts] = useAddressed("show", "both");
  const [parts] = PARTS.find(([known]) => known === given) ?? PARTS[0];
  const contracts = keptTexts(list.split(","), MAX_FOLLOWED);
  const change = (next: readonly string[]) => setList(next.join(","));
  useEffect(() => {
    follow(contracts);
    return () => follow([]);
  }, [contracts.join(",")]);
  return (
    <div class="page">
      <PageHead title="Side by side">
        <Choice label="What is shown of each contract" options={PARTS} value={parts} onChange={setParts} />
        <a href={address("watchlist")}>Watchlist</a>
      </PageHead>
      <div class="beside-tools">
        <ContractPicker
          label="Contract"
          verb="Add"
          unavailable={contracts.length >= MAX_FOLLOWED ? `At most ${MAX_FOLLOWED} beside each other` : null}
          onPick={(id) => change([...contracts.filter((other) => other !== id), id])}
        />
        <Layouts contracts={contracts} onOpen={change} />
      </div>
      {contracts.length === 0
        ? <EmptyState title="No contract is shown">Add one above, or open a layout that you have kept.</EmptyState>
        : (
          <div class="beside-panes">
            {contracts.map((id, index) => (
              <ContractPane
                key={id}
                contractId={id}
                parts={parts}
                actions={
                  <>
                    {index > 0 && (
                      <Button
                        small
                        kind="quiet"
                        icon="up"
                        label="Move to the front"
                        onClick={() => change([id, ...contracts.filter((other) => other !== id)])}
                      />
                    )}
                    <Button
                      small
                      kind="quiet"
                      icon="close"
                      label="Remove"
                      onClick={() => change(contracts.filter((other) => other !== id))}
                    />
                  </>
                }
              />
            ))}
          </div>
        )}
    </div>
  );
}
