// What nobody must miss, across the whole page: a halt, a freeze, and that what is shown is not live.

import type { ComponentChildren } from "preact";
import { Button } from "../../components/button.tsx";
import { Icon, type IconName } from "../../components/icon.tsx";
import { Reason } from "../../components/notices.tsx";
import { time } from "../../components/time-format.ts";
import { connectProblem } from "../live/liveness.ts";
import { timezone } from "../live/market-clock.ts";
import { market } from "../live/market-store.ts";
import { newVersion } from "../live/session.ts";
import { type Contact, contact, isPolling, pollSeconds } from "../live/stream.ts";
import { ConnectButton } from "./auto-connect.tsx";
import "./banners.css";

export function Banners() {
  return (
    <div aria-live="polite" class="banners">
      <ContactBanner contact={contact.value} />
      <PollingBanner />
      <ConnectionBanner />
      {market.markets.value.filter(({ halted }) => halted).map(({ id, name, haltReason }) => (
        <Banner key={id} kind="danger" icon="stop">
          <b class="name">{name}</b> is <b>HALTED</b>: nothing is matched. <Reason reason={haltReason} />
        </Banner>
      ))}
      <FreezeBanner />
      <VersionBanner />
    </div>
  );
}

interface BannerProps {
  readonly kind: "danger" | "warning" | "frozen";
  readonly icon: IconName;
  readonly action?: ComponentChildren;
  readonly children: ComponentChildren;
}

function Banner({ kind, icon, action, children }: BannerProps) {
  return (
    <div class={`banner banner-${kind}`}>
      <Icon name={icon} />
      <span>{children}</span>
      {action}
    </div>
  );
}

function ContactBanner({ contact }: { readonly contact: Contact }) {
  if (contact.state !== "reconnecting" && contact.state !== "stale") return null;
  const since = time(contact.since, Intl.DateTimeFormat().resolvedOptions().timeZone);
  if (contact.state === "stale") {
    return (
      <Banner kind="warning" icon="alert">
        The server has been silent since {since} (your time), so what is shown may be old.
      </Banner>
    );
  }
  return (
    <Banner kind="warning" icon="unlink">
      <b>Not live</b> since {since} (your time): the server can't be reached. What is shown is from then. Trying again.
    </Banner>
  );
}

function PollingBanner() {
  if (!isPolling.value) return null;
  return (
    <Banner kind="warning" icon="clock">
      This browser can't share one connection among its windows, so this page asks for news every {pollSeconds} s only.
    </Banner>
  );
}

function ConnectionBanner() {
  const { connection } = market;
  if (contact.value.state !== "live" || connection.value === null) return null;
  const { status, wasDisconnected, problem: cause } = connection.value;
  const problem = connectProblem.value;
  if (status === "connected" || status === "connecting") return null;
  if (status === "reconnecting") {
    return (
      <Banner kind="warning" icon="unlink">
        The server has lost its connection to the market and is restoring it. <ShownFrom /> <bdi>{cause}</bdi>
      </Banner>
    );
  }
  if (problem !== null) {
    return (
      <Banner kind="warning" icon="unlink" action={<ConnectButton />}>
        The server could not connect to the market: <bdi>{problem.message}</bdi> <bdi>{problem.hint}</bdi>
      </Banner>
    );
  }
  if (!wasDisconnected && cause === null) {
    return <Banner kind="warning" icon="link">Connecting the server to the market…</Banner>;
  }
  return (
    <Banner kind="warning" icon="unlink" action={<ConnectButton />}>
      {cause === null ? "Somebody has disconnected this server from the market." : (
        <>
          This server is not connected to the market: <bdi>{cause}</bdi>
        </>
      )} <ShownFrom />
    </Banner>
  );
}

/** How old what is shown is, in market time. */
function ShownFrom() {
  const asOf = market.connection.value?.asOf ?? null;
  return asOf === null ? null : <>What is shown is from {time(asOf, timezone.value, "dateTime")} (market time).</>;
}

function FreezeBanner() {
  const frozen = market.frozen.value;
  if (frozen === null) return null;
  return (
    <Banner kind="frozen" icon="snow">
      This server is <b>FROZEN</b>: it changes nothing. <Reason reason={frozen.reason} />
      {frozen.since !== null && <>{" "}Since {frozenSince(frozen.since)}.</>} It ends with <code>mkt thaw</code>{" "}
      on the server's host.
    </Banner>
  );
}

/** Real time, unlike the market's. Without its age, which a screen reader would repeat each second. */
function frozenSince(since: string): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return `${time(since, zone, "dateTime")} (your time)`;
}

/** The page's script may not fit another version of the server. */
function VersionBanner() {
  const version = newVersion.value;
  if (version === null) return null;
  return (
    <Banner kind="warning" icon="info" action={<Button small onClick={() => location.reload()}>Reload</Button>}>
      The server is now mkt {version}. Reload this page to get what belongs to it.
    </Banner>
  );
}
