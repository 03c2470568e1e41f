// All that the page knows of one event.

import { Button } from "../../components/button.tsx";
import { price } from "../../components/format.ts";
import { Panel } from "../../components/panel.tsx";
import type { FeedEvent } from "../../contract/update.ts";
import { Time } from "../live/time.tsx";
import { eventWords } from "./event-words.ts";
import { address } from "./page.ts";

interface EventDetailsProps {
  readonly event: FeedEvent;
  readonly onClose: () => void;
}

export function EventDetails({ event, onClose }: EventDetailsProps) {
  const { contractId, entityIds, orderId, text } = eventWords(event);
  const links = new Map([
    [contractId, "contract"],
    [orderId, "order"],
    ...entityIds.map((id) => [id, "entities"] as const),
  ]);
  return (
    <Panel
      title={event.type}
      class="events-details"
      actions={<Button small kind="quiet" icon="close" label="Close the details" onClick={onClose} />}
    >
      <p class="name">{text}</p>
      <dl class="events-fields">
        <dt>time</dt>
        <dd>
          <Time value={event.time} parts="full" />
        </dd>
        <dt>number</dt>
        <dd>{event.sequence}</dd>
        <dt>category</dt>
        <dd>{event.category}</dd>
        {Object.entries(event.data).map(([name, value]) => (
          <>
            <dt key={`${name} name`} class="name">{name}</dt>
            <dd key={name} class="name">
              <Value name={name} value={value} page={links.get(String(value))} />
            </dd>
          </>
        ))}
      </dl>
    </Panel>
  );
}

interface ValueProps {
  readonly name: string;
  readonly value: unknown;
  readonly page: string | undefined;
}

function Value({ name, value, page }: ValueProps) {
  if (typeof value === "object" && value !== null) return <pre tabIndex={0}>{JSON.stringify(value, null, 1)}</pre>;
  if (page !== undefined) return <a href={address(page, String(value))}>{String(value)}</a>;
  if ((name === "side" || name === "aggressorSide") && typeof value === "number") {
    return <>{value === 0 ? "buy" : "sell"}</>;
  }
  return <>{typeof value === "number" && isPrice(name) ? `${price(value)} $/MWh` : String(value)}</>;
}

/** The data of events has prices in cents/MWh. */
function isPrice(name: string): boolean {
  return name === "bestBid" || name === "bestAsk" || name.toLowerCase().endsWith("price");
}
