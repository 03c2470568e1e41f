// The dashboard's page: asks who may see what, then follows the market.

import { effect } from "@preact/signals";
import { render } from "preact";
import "../components/theme.css";
import { toggleMute, watchAlerts } from "./alerts/alerts.ts";
import { App } from "./app.tsx";
import "./dashboard.css";
import { connectOnce } from "./frame/auto-connect.tsx";
import { focusSearch, openPalette } from "./frame/search.tsx";
import { listenToKeys } from "./frame/shortcuts.ts";
import { restoreTheme } from "./frame/theme.ts";
import { openAbout } from "./frame/tools.tsx";
import { keepWindowTitle } from "./frame/window-title.ts";
import { backoffMs } from "./live/backoff.ts";
import { askSession, checkSession, session, streamKey } from "./live/session.ts";
import { facts, startStream, stopStream, watchSurroundings } from "./live/stream.ts";
import { pageCommands, watchShownContract } from "./page-commands.ts";
import { backToLive } from "./pages/then/time-shown.ts";
import { offerCommands } from "./palette/commands.ts";

Object.assign(globalThis, { mktDashboard: facts });
restoreTheme();
keepWindowTitle();
connectOnce();
watchSurroundings();
watchAlerts();
offerCommands(pageCommands);
listenToKeys({
  search: focusSearch,
  help: openAbout,
  mute: toggleMute,
  watch: watchShownContract,
  live: backToLive,
  palette: openPalette,
});
render(<App />, document.body);

// Whoever may see the market follows it; whoever has signed out no longer does.
effect(() => {
  const key = streamKey.value;
  if (key === null) stopStream();
  else startStream(key, checkSession);
});
await firstSession();

/** The page may be older than the server: then it waits for it. */
async function firstSession(): Promise<void> {
  for (let attempt = 1; session.value === null; attempt++) {
    try {
      await askSession();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, backoffMs(attempt)));
    }
  }
}
