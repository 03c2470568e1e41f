// Where a person writes which time is meant.

import { useState } from "preact/hooks";
import { DAY_MS } from "../../../../protocol/time-units.ts";
import { Button } from "../../../components/button.tsx";
import { zoneName } from "../../../components/time-format.ts";
import { marketNow, timezone } from "../../live/market-clock.ts";
import type { Range } from "./day-marks.ts";
import "./past.css";
import { timesMeant } from "./time-words.ts";

interface WhenProps {
  /** Of the range that a moment stands for, milliseconds. */
  readonly length: number;
  readonly onMeant: (range: Range) => void;
}

export function When({ length, onMeant }: WhenProps) {
  const [text, setText] = useState("");
  const [said, setSaid] = useState<string | null>(null);
  const [isWrong, setWrong] = useState(false);
  const show = (event: Event) => {
    event.preventDefault();
    const meant = timesMeant(text, { now: marketNow.peek()!, timezone: timezone.value });
    setWrong("problem" in meant);
    setSaid("problem" in meant ? meant.problem : meant.note);
    if (!("problem" in meant)) onMeant({ from: meant.from, to: meant.to ?? meant.from + Math.min(length, DAY_MS) });
  };
  return (
    <form class="past-when" onSubmit={show}>
      <label for="past-when">Time, {zoneName(marketNow.peek(), timezone.value)}</label>
      <input
        id="past-when"
        type="text"
        value={text}
        placeholder="10:32, yesterday 18:00, 10:00 to 10:45"
        autocomplete="off"
        spellcheck={false}
        maxLength={80}
        aria-invalid={isWrong}
        aria-describedby={said === null ? undefined : "past-said"}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" kind="primary" icon="search">Show</Button>
      {said !== null && <span id="past-said" role="status" class={isWrong ? "past-problem" : ""}>{said}</span>}
    </form>
  );
}
