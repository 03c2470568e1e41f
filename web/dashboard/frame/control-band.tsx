// Says on every page of control that this is control, how long it lasts, and the way out.

import { signal } from "@preact/signals";
import { Button } from "../../components/button.tsx";
import { countdown } from "../../components/time-format.ts";
import { leaveControl, session } from "../live/session.ts";
import { address } from "../pages/page.ts";
import "./control-band.css";

/** The present, in real time: milliseconds of Date.now. Ticks once a second. */
const now = signal(Date.now());
setInterval(() => void (now.value = Date.now()), 1_000);

export function ControlBand() {
  const { expiresAt = null } = session.value ?? {};
  return (
    <>
      <div class="control-band" role="region" aria-label="Control">
        <b>CONTROL</b>
        <span>This page can change the market.</span>
        <a href={address("operate")}>Halt, freeze, connect</a>
        {expiresAt !== null && <span role="timer">Ends in {countdown(Date.parse(expiresAt) - now.value)}</span>}
        <Button small icon="out" onClick={() => void leaveControl()}>Leave control</Button>
      </div>
      <div class="control-frame" aria-hidden="true" />
    </>
  );
}
