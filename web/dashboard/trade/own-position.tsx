// The own entity's position in one contract, and its profit.

import { Delta } from "../../components/delta.tsx";
import { price, quantity, signed, signedQuantity } from "../../components/format.ts";
import { ErrorNote, Skeleton } from "../../components/notices.tsx";
import { Panel } from "../../components/panel.tsx";
import { Stat, Stats } from "../../components/stat.tsx";
import type { PositionRow } from "../../contract/tool-results.ts";
import { useOwnPosition } from "./own-reads.ts";

interface OwnPositionProps {
  readonly entityId: string;
  readonly contractId: string;
}

export function OwnPosition({ entityId, contractId }: OwnPositionProps) {
  const { value, error, reload } = useOwnPosition(entityId, contractId);
  return (
    <Panel title="Own position" class="trade-position">
      {error !== null && <ErrorNote report={error} onRetry={reload} />}
      {value === null
        ? error === null && <Skeleton label="Reading the position" lines={2} />
        : value.position === null
        ? <p class="trade-note">Your entity has not traded this contract.</p>
        : <Figures row={value.position} />}
    </Panel>
  );
}

function Figures({ row }: { readonly row: PositionRow }) {
  return (
    <Stats>
      <Stat label="Net, MW" note={`bought ${quantity(row.boughtQuantity)}, sold ${quantity(row.soldQuantity)}`}>
        {signedQuantity(row.netQuantity)}
      </Stat>
      <Stat label="Net, MWh">{signedQuantity(row.netEnergy)}</Stat>
      <Stat label="Average, $/MWh">{price(row.averagePrice)}</Stat>
      <Stat label="Mark, $/MWh" note={`from the ${row.markSource}`}>{price(row.mark)}</Stat>
      <Stat label="Profit, $" note={`realised ${signed(row.realisedProfit)}, open ${signed(row.unrealisedProfit)}`}>
        <Delta value={row.profit} />
      </Stat>
    </Stats>
  );
}
