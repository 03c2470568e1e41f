// Alerts: what has been raised, of what there shall be alerts, and whether they are heard.

import { useEffect } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { count } from "../../components/format.ts";
import { EmptyState } from "../../components/notices.tsx";
import { Panel } from "../../components/panel.tsx";
import { TableBox } from "../../components/table-box.tsx";
import { contractLabel } from "../live/listed-contracts.ts";
import { Time } from "../live/time.tsx";
import { PageHead } from "../pages/page-head.tsx";
import { AlertForm } from "./alert-form.tsx";
import { type Alert, conditions, isMuted, raised, removeCondition, toggleMute, unseen } from "./alerts.ts";
import { conditionWords } from "./alert-words.ts";
import { keyOf } from "./conditions.ts";
import { askPermission, permission } from "./noise.ts";

export default function AlertsPage() {
  useEffect(() => void (unseen.value = 0), [raised.value]);
  return (
    <div class="page">
      <PageHead title="Alerts">
        <Button icon={isMuted.value ? "muted" : "bell"} pressed={isMuted.value} onClick={toggleMute}>
          {isMuted.value ? "Muted" : "Mute"} <kbd>q</kbd>
        </Button>
        <Notifications />
      </PageHead>
      <p>
        Kept in this browser for the acting user. The page must be open: in another tab it goes on, but what happens
        while it is closed, or without contact, raises no alert.
      </p>
      <div class="columns">
        <Panel title="New alert">
          <AlertForm />
        </Panel>
        <Panel title={`${count(conditions.value.length)} set`}>
          <Conditions />
        </Panel>
      </div>
      <Panel title="Raised since this page was opened" flush>
        {raised.value.length === 0 ? <EmptyState title="No alerts yet" /> : <Raised alerts={raised.value} />}
      </Panel>
    </div>
  );
}

function Notifications() {
  switch (permission.value) {
    case "unavailable":
      return <span>No notifications: the browser offers them only from localhost or over TLS.</span>;
    case "granted":
      return <span>Alerts also come as notifications.</span>;
    case "denied":
      return <span>Notifications are forbidden in the settings of this browser.</span>;
    case "default":
      return <Button onClick={() => void askPermission()}>Allow notifications</Button>;
  }
}

function Conditions() {
  if (conditions.value.length === 0) return <EmptyState title="No alert is set" />;
  return (
    <ul class="alert-conditions">
      {conditions.value.map((condition) => {
        const { text, address } = conditionWords(condition, contractLabel);
        return (
          <li key={keyOf(condition)}>
            <a class="name" href={address}>{text}</a>
            <Button
              small
              kind="quiet"
              icon="close"
              label={`Remove: ${text}`}
              onClick={() => removeCondition(condition)}
            />
          </li>
        );
      })}
    </ul>
  );
}

function Raised({ alerts }: { readonly alerts: readonly Alert[] }) {
  return (
    <TableBox label="Raised alerts" maxHeight="50vh">
      <table class="data-table">
        <thead>
          <tr>
            <th scope="col">Market time</th>
            <th scope="col">Alert</th>
          </tr>
        </thead>
        <tbody>
          {alerts.map(({ id, at, text, address }) => (
            <tr key={id}>
              <td>
                <Time value={at === null ? null : new Date(at).toISOString()} parts="dateTime" />
              </td>
              <td class="wide">
                <a href={address}>
                  <bdi>{text}</bdi>
                </a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  );
}
