// Whether what is shown is live.

import { Badge } from "../../components/badge.tsx";
import { market } from "../live/market-store.ts";
import { contact } from "../live/stream.ts";

export function ContactState() {
  const { state } = contact.value;
  const { status } = market.connection.value ?? {};
  switch (state) {
    case "off":
    case "connecting":
    case "asleep":
      return <Badge icon="link">Connecting</Badge>;
    case "reconnecting":
      return <Badge tone="danger" icon="unlink">Not live</Badge>;
    case "stale":
      return <Badge tone="warning" icon="alert">Silent</Badge>;
    case "live":
      if (status === "connected") return <Badge tone="good" icon="link">Live</Badge>;
      if (status === "disconnected") return <Badge tone="warning" icon="unlink">Disconnected</Badge>;
      return <Badge tone="warning" icon="link">{status === "connecting" ? "Connecting" : "Reconnecting"}</Badge>;
  }
}
