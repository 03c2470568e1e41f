// Buttons of the header: light or dark, help, control, sign out.

import { signal } from "@preact/signals";
import { Button } from "../../components/button.tsx";
import { AlertBell } from "../alerts/alert-bell.tsx";
import { isControlPage, openControl, session, signOut } from "../live/session.ts";
import { About } from "./about.tsx";
import { chooseTheme, theme, THEMES } from "./theme.ts";

/** Whether the dialog with version, credits and shortcuts is open. */
const isAboutOpen = signal(false);

const THEME_ICONS = { system: "screen", light: "sun", dark: "moon" } as const;

export function Tools() {
  const { caller = null, offersControl = false } = session.value ?? {};
  return (
    <div class="header-tools">
      {offersControl && !isControlPage && (
        <Button small icon="sliders" kind="quiet" onClick={openControl}>Control</Button>
      )}
      <AlertBell />
      <ThemeButton />
      <Button small kind="quiet" icon="info" label="About, and keyboard shortcuts" onClick={openAbout} />
      {caller !== null && (
        <Button
          small
          kind="quiet"
          icon="out"
          label={`Sign out ${caller}`}
          onClick={() => void signOut()}
        />
      )}
      {isAboutOpen.value && <About onClose={() => void (isAboutOpen.value = false)} />}
    </div>
  );
}

export function openAbout(): void {
  isAboutOpen.value = true;
}

function ThemeButton() {
  const next = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length]!;
  return (
    <Button
      small
      kind="quiet"
      icon={THEME_ICONS[theme.value]}
      label={`Colours: ${theme.value}. Change to ${next}`}
      onClick={() => chooseTheme(next)}
    />
  );
}
