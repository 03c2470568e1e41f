// The version, whose work is in the page, and the keys that it knows.

import { Dialog } from "../../components/dialog.tsx";
import { session } from "../live/session.ts";
import { hasShortcuts, keepShortcuts, KEY_GROUPS } from "./shortcuts.ts";
import "./about.css";

export function About({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="About mkt" onClose={onClose}>
      <p>
        mkt <b>{session.value?.version ?? ""}</b>: see and operate an electricity market.
      </p>
      <h3>Keyboard</h3>
      {KEY_GROUPS.map(({ title, keys }) => (
        <section key={title} class="about-group" aria-label={title}>
          <h4>{title}</h4>
          <dl class="about-keys">
            {keys.map(({ keys, does }) => (
              <div key={keys}>
                <dt>{keys.split(" ").map((key) => <kbd key={key}>{key}</kbd>)}</dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <label>
        <input
          type="checkbox"
          checked={hasShortcuts.value}
          onChange={({ currentTarget }) => keepShortcuts(currentTarget.checked)}
        />{" "}
        These keys work
      </label>
      <h3>Credits</h3>
      <p>
        Charts: TradingView Lightweight Charts™, copyright © 2025{" "}
        <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer">TradingView, Inc.</a>, Apache License
        2.0. Views: Preact and its signals (MIT). Scales and shapes: d3 (ISC).
      </p>
    </Dialog>
  );
}
