// The events of a range, newest first. Each row leads to its order, or to what else it is about.

import { Badge } from "../../../components/badge.tsx";
import { TableBox } from "../../../components/table-box.tsx";
import type { PastEvent } from "../../../contract/past.ts";
import { Time } from "../../live/time.tsx";
import { contractLabel } from "../../live/listed-contracts.ts";
import { address } from "../page.ts";
import { pastWords } from "./past-words.ts";

interface PastTableProps {
  readonly events: readonly PastEvent[];
  /** The range has more than one day, so each row has its own. */
  readonly hasDays: boolean;
}

export function PastTable({ events, hasDays }: PastTableProps) {
  return (
    <TableBox label="Past events" maxHeight="max(320px, calc(100dvh - 260px))">
      <table class="data-table past-table">
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Event</th>
            <th scope="col">What</th>
            <th scope="col" class="past-contract">Contract</th>
            <th scope="col" class="past-entity">Entity</th>
            <th scope="col" class="past-user">User</th>
            <th scope="col">Order</th>
          </tr>
        </thead>
        <tbody>
          {events.map((event) => <Row key={event.id} event={event} hasDays={hasDays} />)}
        </tbody>
      </table>
    </TableBox>
  );
}

function Row({ event, hasDays }: { readonly event: PastEvent; readonly hasDays: boolean }) {
  const { title, tone, text, contractId, entityIds } = pastWords(event);
  return (
    <tr>
      <td>
        <Time value={event.time} parts={hasDays ? "dateTime" : "time"} />
      </td>
      <td>
        <Badge tone={tone} title={event.event}>{title}</Badge>
      </td>
      <td class="past-what name">{text}</td>
      <td class="past-contract">
        {contractId !== null && (
          <a class="name" href={address("contract", contractId)} title={contractId}>{contractLabel(contractId)}</a>
        )}
      </td>
      <td class="past-entity">
        {entityIds.map((id, place) => (
          <span key={id}>
            {place > 0 && " · "}
            <a class="name" href={address("entities", id)}>{id}</a>
          </span>
        ))}
      </td>
      <td class="past-user name">{event.userId ?? "the schedule"}</td>
      <td>{event.orderId !== null && <OrderLink orderId={event.orderId} />}</td>
    </tr>
  );
}

/** A refused order has no id, but a history. */
function OrderLink({ orderId }: { readonly orderId: string }) {
  return (
    <a class="name" href={address("order", orderId)} title={orderId}>
      {orderId.startsWith("refused:") ? "refused order" : orderId}
    </a>
  );
}
