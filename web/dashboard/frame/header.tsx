// The top of every page: which market, its status, its time, who acts, and whether what is shown is live.

import { Badge } from "../../components/badge.tsx";
import { count } from "../../components/format.ts";
import { duration, time, zoneName } from "../../components/time-format.ts";
import { isAwaited, isAway } from "../live/liveness.ts";
import { marketNow, timezone } from "../live/market-clock.ts";
import { market } from "../live/market-store.ts";
import { contact, dataAge, isPolling, pollSeconds } from "../live/stream.ts";
import { address } from "../pages/page.ts";
import "./header.css";
import { formerStatus, statusWord } from "../live/market-status.ts";
import { Search } from "./search.tsx";
import { Tools } from "./tools.tsx";

export function Header() {
  return (
    <header class="header">
      <a class="header-brand" href={address("market")} aria-label="mkt, to the market">mkt</a>
      <MarketState />
      <MarketTimeNow />
      <ActingUser />
      <div class="header-right">
        <Search />
        <ContactState />
      </div>
      <Tools />
    </header>
  );
}

/** With several markets the one that is least well stands for all. */
function MarketState() {
  const { value: markets } = market.markets;
  const shown = markets.find(({ halted }) => halted) ?? markets.find(({ status }) => status !== "open") ?? markets[0];
  if (shown === undefined) return null;
  const { word, tone, icon } = isAway.value ? formerStatus(shown) : statusWord(shown);
  return (
    <div class="header-market" role="status" aria-label="Market status">
      <Badge tone={tone} icon={icon}>{word}</Badge>
      <b class="name">{shown.name}</b>
      {markets.length > 1 && <span>and {count(markets.length - 1)} more</span>}
    </div>
  );
}

function MarketTimeNow() {
  const now = marketNow.value;
  if (now === null) return null;
  const { speed = null } = market.connection.value ?? {};
  const pace = isAway.value
    ? "last known"
    : speed === null
    ? "stands still"
    : speed === 1
    ? "real time"
    : `${speed}× as fast`;
  return (
    <div class="header-fact header-time">
      <span>Market time, {pace}</span>
      <time dateTime={new Date(now).toISOString()} title={time(now, timezone.value, "full")}>
        {time(now, timezone.value, "dateTime")} {zoneName(now, timezone.value)}
        {speed !== 1 && <span class="header-pace">{speed === null ? " ⏸" : ` ${speed}×`}</span>}
      </time>
    </div>
  );
}

function ActingUser() {
  const { userId = null, entityId = null } = market.connection.value ?? {};
  if (userId === null) return null;
  return (
    <>
      <div class="header-fact header-user">
        <span>Acting user</span>
        <span class="name">{userId}</span>
      </div>
      {entityId !== null && (
        <div class="header-fact header-user header-entity">
          <span>Entity</span>
          <a class="name" href={address("entities", entityId)}>{entityId}</a>
        </div>
      )}
    </>
  );
}

/** Whether what is shown is live, and if not, how old it is. */
function ContactState() {
  const { state } = contact.value;
  const { status } = market.connection.value ?? {};
  if (isAwaited.value) return <Badge icon="link">Connecting</Badge>;
  switch (state) {
    case "off":
    case "connecting":
      return <Badge icon="link">Connecting</Badge>;
    case "reconnecting":
      return <Badge tone="danger" icon="unlink">Not live, {duration(dataAge.value)} old</Badge>;
    case "stale":
      return <Badge tone="warning" icon="alert">Silent, {duration(dataAge.value)} old</Badge>;
    case "live":
      if (status === "connected" && isPolling.value) return <Badge icon="clock">Every {pollSeconds} s</Badge>;
      if (status === "connected") return <Badge tone="good" icon="link">Live</Badge>;
      if (status === "disconnected") return <Badge tone="warning" icon="unlink">Disconnected</Badge>;
      return <Badge tone="warning" icon="link">{status === "connecting" ? "Connecting" : "Reconnecting"}</Badge>;
  }
}
