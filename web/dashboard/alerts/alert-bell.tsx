// In the header: how many alerts nobody has looked at, and whether they are muted. The newest one shows for a while at the edge
// of the page, and leads to its page.

import { useEffect, useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { count } from "../../components/format.ts";
import { Icon } from "../../components/icon.tsx";
import { address } from "../pages/page.ts";
import { isMuted, raised, unseen } from "./alerts.ts";
import "./alerts.css";

const SHOWN_MS = 15_000;

export function AlertBell() {
  const muted = isMuted.value ? ", muted" : "";
  const label = `Alerts${unseen.value > 0 ? `: ${count(unseen.value)} new` : ""}${muted}`;
  return (
    <a class="alert-bell" href={address("alerts")} aria-label={label} title={label}>
      <Icon name={isMuted.value ? "muted" : "bell"} />
      {unseen.value > 0 && <b>{count(unseen.value)}</b>}
    </a>
  );
}

export function NewestAlert() {
  const [closed, close] = useState(0);
  const newest = raised.value[0];
  const id = newest?.id ?? 0;
  useEffect(() => {
    if (id === 0) return;
    const timer = setTimeout(() => close(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id]);
  const isShown = newest !== undefined && unseen.value > 0 && closed !== id;
  return (
    <div class="alert-newest" role="status" aria-label="Newest alert">
      {isShown && (
        <div class="alert-card">
          <Icon name="bell" />
          <a href={newest.address} onClick={() => close(id)}>
            <bdi>{newest.text}</bdi>
          </a>
          <Button small kind="quiet" icon="close" label="Close the alert" onClick={() => close(id)} />
        </div>
      )}
    </div>
  );
}
