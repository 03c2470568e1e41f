// The slider with which a page goes back in time, and the band that says that it is not live. At the right end the page is
// live, and nothing is read for the slider.

import { computed } from "@preact/signals";
import { useRef, useState } from "preact/hooks";
import { DAY_MS, HOUR_MS } from "../../../../protocol/time-units.ts";
import { Button } from "../../../components/button.tsx";
import { Choice } from "../../../components/choice.tsx";
import { count } from "../../../components/format.ts";
import { Icon } from "../../../components/icon.tsx";
import { EmptyState, ErrorNote, Skeleton } from "../../../components/notices.tsx";
import { time } from "../../../components/time-format.ts";
import { marketNow } from "../../live/market-clock.ts";
import { When } from "../past/when.tsx";
import "./then.css";
import type { TimeShown } from "./time-shown.ts";
import type { Then } from "./use-then.ts";

const LENGTHS = [[HOUR_MS, "Hour"], [DAY_MS, "Day"], [7 * DAY_MS, "Week"]] as const;
/** Of the slider's length: an hour in seconds. */
const STEPS = 3_600;

const isTimeKnown = computed(() => marketNow.value !== null);

interface GoBackProps {
  readonly shown: TimeShown;
  /** Null: the page is live. */
  readonly at: number | null;
  readonly then: Then | null;
  readonly timezone: string;
}

export function GoBack({ shown, at, then, timezone }: GoBackProps) {
  /** The time of the slider's right end. */
  const end = useRef<number | null>(null);
  const [chosen, setLength] = useState<number>(HOUR_MS);
  if (!isTimeKnown.value) return null;
  if (at === null) end.current = null;
  else if (at > (end.current ?? 0)) end.current = marketNow.peek();
  const back = at === null ? 0 : Math.max(0, end.current! - at);
  const length = Math.max(chosen, LENGTHS.find(([length]) => length >= back)?.[0] ?? back);
  /** The time of a place of the slider: milliseconds before its end. */
  const timeAt = (place: number) => {
    if (place >= 0) return null;
    end.current ??= marketNow.peek()!;
    return Math.floor((end.current + place) / 1_000) * 1_000;
  };
  return (
    <div class="go-back">
      <div class="go-back-slider">
        <label for="go-back">Go back</label>
        <input
          id="go-back"
          type="range"
          min={-length}
          max={0}
          step={length / STEPS}
          value={-back}
          aria-valuetext={at === null ? "live" : time(at, timezone, "full")}
          onInput={({ currentTarget }) => shown.move(timeAt(Number(currentTarget.value)))}
          onChange={({ currentTarget }) => shown.keep(timeAt(Number(currentTarget.value)))}
        />
        <Choice
          label="Length of the slider"
          options={LENGTHS.map(([length, name]) => [String(length), name] as const)}
          value={String(length)}
          onChange={(value) => setLength(Number(value))}
        />
      </div>
      {at !== null && then !== null && (
        <>
          <div class="go-back-band">
            <Icon name="clock" />
            <strong role="status">
              As it was at {time(at, timezone, isToday(at, timezone) ? "time" : "full")} — not live
            </strong>
            <Since then={then} timezone={timezone} />
            <Button small kind="primary" icon="play" onClick={() => shown.keep(null)}>Live</Button>
          </div>
          <When length={0} onMeant={({ from }) => shown.keep(from < marketNow.peek()! ? from : null)} />
        </>
      )}
    </div>
  );
}

function isToday(at: number, timezone: string): boolean {
  return time(at, timezone, "date") === time(marketNow.peek(), timezone, "date");
}

/** From when on there are records. */
function Since({ then: { reader }, timezone }: Pick<GoBackProps, "timezone"> & { readonly then: Then }) {
  if (reader.oldest === null) return null;
  return <span>records since {time(reader.oldest, timezone, "dateTime")}</span>;
}

interface UnknownProps extends Pick<GoBackProps, "timezone"> {
  readonly at: number;
  readonly then: Then;
}

/** In place of the past, while it is being read or can't be known. */
export function Unknown({ at, then, timezone }: UnknownProps) {
  const { reader, error, isReading, retry } = then;
  const shown = (at: number) => time(at, timezone, "dateTime");
  if (error?.code === "forbidden") {
    return (
      <EmptyState title="Only those who may see all orders can see an earlier book">
        A book of the orders that you may see would be another one than there was. What is missing is the permission
        Market.View.
      </EmptyState>
    );
  }
  if (error !== null) return <ErrorNote report={error} onRetry={retry} />;
  if (isReading || reader.needs(at)) {
    const soFar = Number.isFinite(reader.knownFrom) ? `, back to ${shown(reader.knownFrom)}` : "";
    return <Skeleton label={`Reading the audit trail${soFar}`} lines={8} />;
  }
  if (reader.oldest === null) return <EmptyState title="The audit trail has no records" />;
  return (
    <EmptyState title={`The page can go back to ${shown(reader.knownFrom)}`}>
      {reader.isFull
        ? `It reads no more than the ${count(reader.read)} events since then.`
        : "The audit trail has no older records."}
    </EmptyState>
  );
}
