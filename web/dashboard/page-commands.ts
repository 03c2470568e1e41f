// The commands of the palette.

import { isControl, isControlPage, openControl, session, signOut } from "./live/session.ts";
import { isMuted, toggleMute } from "./alerts/alerts.ts";
import { chooseTheme, theme, THEMES } from "./frame/theme.ts";
import { openAbout } from "./frame/tools.tsx";
import { PAGE_KEYS } from "./frame/shortcuts.ts";
import { layouts } from "./kept/layouts.ts";
import { toggleWatched, watchedContracts } from "./kept/watched-contracts.ts";
import { contractLabel } from "./live/listed-contracts.ts";
import { PAGES } from "./page-list.ts";
import type { Command } from "./palette/commands.ts";
import { address, addressWith, pageRoute } from "./pages/page.ts";
import { backToLive, isInPast } from "./pages/then/time-shown.ts";
import { copyText } from "./take-along/hand-over.ts";

export function pageCommands(): readonly Command[] {
  return [...pages(), ...ofThisPage(), ...kept(), ...everywhere()];
}

function pages(): Command[] {
  const shown = PAGES.filter(({ title, isForControl }) => title !== null && (!isForControl || isControl.value));
  const titles = [
    ...shown.map(({ name, title }) => [name, title!] as const),
    ["side-by-side", "Side by side"] as const,
  ];
  return [...titles, ["alerts", "Alerts"] as const].map(([name, title]) => {
    const key = Object.entries(PAGE_KEYS).find(([, page]) => page === name)?.[0];
    return {
      title: `Go to ${title}`,
      ...(key !== undefined && { keys: `g ${key}` }),
      run: () => void (location.hash = address(name)),
    };
  });
}

function ofThisPage(): Command[] {
  const live = isInPast() ? [{ title: "Back to live", keys: "l", run: backToLive }] : [];
  const contractId = shownContract();
  if (contractId === null) return live;
  const verb = watchedContracts.value.includes(contractId) ? "No longer watch" : "Watch";
  return [
    ...live,
    { title: `${verb} ${contractLabel(contractId)}`, keys: "w", run: () => toggleWatched(contractId) },
  ];
}

/** The contract whose page is shown; null: it is another page. */
function shownContract(): string | null {
  const { name, argument } = pageRoute(location.hash);
  return name === "contract" && argument !== "" ? argument : null;
}

/** For the key `w`. */
export function watchShownContract(): void {
  const contractId = shownContract();
  if (contractId !== null) toggleWatched(contractId);
}

function kept(): Command[] {
  return layouts.value.map(({ name, contracts }) => ({
    title: `Open the layout ${name}`,
    run: () => void (location.hash = addressWith("side-by-side", { contracts: contracts.join(",") })),
  }));
}

function everywhere(): Command[] {
  const { caller = null, offersControl = false } = session.value ?? {};
  return [
    { title: isMuted.value ? "Hear alerts again" : "Mute alerts", keys: "q", run: toggleMute },
    {
      title: "Copy the address of what is shown",
      run: () => void copyText(location.href).catch(reportError),
    },
    ...THEMES.filter((each) => each !== theme.value)
      .map((each) => ({ title: `Use ${each} colours`, run: () => chooseTheme(each) })),
    { title: "Show all keys", keys: "?", run: openAbout },
    ...(offersControl && !isControlPage ? [{ title: "Take control", run: openControl }] : []),
    ...(caller === null ? [] : [{ title: `Sign out ${caller}`, run: () => void signOut().catch(reportError) }]),
  ];
}
