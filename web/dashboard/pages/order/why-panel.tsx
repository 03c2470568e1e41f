// The panel of an open order that says why it doesn't trade. why.ts has the reasoning; here it gets what it needs, live.

import { useEffect } from "preact/hooks";
import { price, quantity } from "../../../components/format.ts";
import { Panel } from "../../../components/panel.tsx";
import { Stat, Stats } from "../../../components/stat.tsx";
import { TableBox } from "../../../components/table-box.tsx";
import type { OrderResult } from "../../../contract/tool-results.ts";
import { useBook } from "../../live/book.ts";
import { isAway } from "../../live/liveness.ts";
import { market } from "../../live/market-store.ts";
import { usePolled } from "../../live/polled.ts";
import { readTool } from "../../live/server.ts";
import { address } from "../page.ts";
import type { BlockRow } from "./blocks.ts";
import { type HeldQueue, whyNotTraded } from "./why.ts";
import "./why.css";

/** No event tells when the queue of held orders changes. */
const EVERY_MS = 5_000;

interface WhyPanelProps {
  /** An open one. */
  readonly order: OrderResult;
  /** Asks for the order again: its price now reaches others or no longer does, of which no event of its own tells. */
  readonly onReach: () => void;
}

export function WhyPanel({ order, onReach }: WhyPanelProps) {
  const book = useBook(order.contractId);
  const queue = useQueue(order);
  const { entityId = null, permissions = [] } = market.connection.value ?? {};
  const of = market.markets.value.find(({ id }) => id === order.marketId);
  const why = whyNotTraded({ order, book, market: of, queue, viewer: { entityId, permissions } });
  const isKnown = book !== undefined;
  useEffect(() => {
    if (isKnown && why.isReaching !== (order.blockedBy?.length !== 0)) onReach();
  }, [isKnown, why.isReaching]);
  return (
    <Panel title="Why doesn't it trade?" class="order-why">
      {isAway.value && <p class="order-note">There is no contact with the market, so this may be old.</p>}
      <p class="order-sentences name">{why.sentences.join(" ")}</p>
      <Stats>
        {why.figures.map(({ label, value, note }) => (
          <Stat key={label} label={label} note={note ?? undefined}>{value}</Stat>
        ))}
      </Stats>
      {why.blocks.length > 0 && <Blocks rows={why.blocks} />}
      {why.mayHaveMore && <p class="order-note">There may be more reasons than are listed.</p>}
      {why.remedies.length > 0 && (
        <>
          <h3>What would change that</h3>
          <ul class="order-remedies">
            {why.remedies.map((remedy) => <li key={remedy} class="name">{remedy}</li>)}
          </ul>
        </>
      )}
    </Panel>
  );
}

/** Null unless the order is held. */
function useQueue({ contractId, status }: OrderResult): HeldQueue | null {
  const isHeld = status === "held";
  const read = async (signal: AbortSignal): Promise<HeldQueue | null> => {
    if (!isHeld) return null;
    const given = { moduleType: "QUEUE", filters: { contractId }, fields: ["length", "orderIds"], limit: 1 };
    const { modules } = await readTool<{ readonly modules: readonly HeldQueue[] }>("mkt_find_modules", given, signal);
    return modules[0] ?? null;
  };
  return usePolled(read, `${contractId} ${isHeld}`, isHeld ? EVERY_MS : null).value;
}

function Blocks({ rows }: { readonly rows: readonly BlockRow[] }) {
  return (
    <TableBox label="What keeps it from trading">
      <table class="data-table order-blocks">
        <thead>
          <tr>
            <th scope="col">With</th>
            <th scope="col" class="number">MW</th>
            <th scope="col" class="number">From, $/MWh</th>
            <th scope="col">Why not, and what would change that</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ counterpartyId, quantity: megawatts, price: cents, why, remedy }, index) => (
            <tr key={index}>
              <th scope="row">
                {counterpartyId === null
                  ? <span class="order-note">hidden from you</span>
                  : <a class="name" href={address("entities", counterpartyId)}>{counterpartyId}</a>}
              </th>
              <td class="number">{quantity(megawatts)}</td>
              <td class="number">{price(cents)}</td>
              <td class="wide name">
                {why} {remedy !== null && <span class="order-note">{remedy}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  );
}
