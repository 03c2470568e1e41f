// The frame of every view: its title, whether it is live, what went wrong, and the content.

import { useMemo } from "preact/hooks";
import { Badge } from "../components/badge.tsx";
import { Button } from "../components/button.tsx";
import { EmptyState, ErrorNote, Skeleton } from "../components/notices.tsx";
import { time } from "../components/time-format.ts";
import type { OpenedView } from "./opened-view.ts";

export function Frame({ opened }: { readonly opened: OpenedView }) {
  const { host, view } = opened;
  return (
    <main class="view">
      <header class="view-head">
        <h1>{view.title}</h1>
        <Freshness opened={opened} />
        <DisplayMode opened={opened} />
      </header>
      {host.status.value === "absent" ? <NoHost /> : <Body opened={opened} />}
    </main>
  );
}

function Body({ opened }: { readonly opened: OpenedView }) {
  const { host, live, values, follow, marketTimezone, view: { Content, title } } = opened;
  const { result, failure } = live.state.value;
  const personal = useTimezone(host.context.value.timeZone);
  const timezone = marketTimezone.value ?? personal;
  return (
    <>
      {failure !== null && <ErrorNote report={failure} {...(follow && { onRetry: () => live.retry() })} />}
      {result !== null && (
        <Content result={result} values={values.value} follow={follow} call={host.call} timezone={timezone} />
      )}
      {result === null && failure === null && <Skeleton label={`${title}: waiting for the result`} />}
    </>
  );
}

/** In words and as a picture. It is announced when it changes. */
function Freshness({ opened }: { readonly opened: OpenedView }) {
  const { host, live, marketTimezone } = opened;
  const { result, receivedAt, failure } = live.state.value;
  const personal = useTimezone(host.context.value.timeZone);
  const at = time(receivedAt, personal);
  // Market time.
  const asOf = typeof result?.["asOf"] === "string" ? time(result["asOf"], marketTimezone.value ?? personal) : at;
  return (
    <div class="view-freshness" role="status">
      {host.status.value === "ended"
        ? <Badge icon="stop">Closed</Badge>
        : result === null
        ? null
        : failure !== null
        ? <Badge tone="warning" icon="alert">Not live: data of {at}</Badge>
        : result["stale"] === true
        ? <Badge tone="warning" icon="unlink">Market connection lost: data of {asOf}</Badge>
        : opened.follow === null
        ? <Badge icon="clock" title="This chat host lets no view ask again.">Fixed, of {at}</Badge>
        : <Badge tone="good" icon="check">Live</Badge>}
    </div>
  );
}

function DisplayMode({ opened: { host } }: { readonly opened: OpenedView }) {
  const { displayMode, availableDisplayModes = [] } = host.context.value;
  if (!availableDisplayModes.includes("fullscreen")) return null;
  const isFullscreen = displayMode === "fullscreen";
  return (
    <Button small kind="quiet" onClick={() => void host.setFullscreen(!isFullscreen)}>
      {isFullscreen ? "Leave full screen" : "Full screen"}
    </Button>
  );
}

function NoHost() {
  return (
    <EmptyState title="No chat host answers">
      <p>This page is a view of mkt for chat hosts with MCP Apps. Open it there, or open the dashboard in a browser.</p>
    </EmptyState>
  );
}

/** The person's, or else this device's. */
function useTimezone(given: string | undefined): string {
  return useMemo(() => given ?? new Intl.DateTimeFormat().resolvedOptions().timeZone, [given]);
}
