// The way to every page: at the side of a wide window, at the bottom of a phone.

import { Icon } from "../../components/icon.tsx";
import { isControl } from "../live/session.ts";
import { address, type Page } from "../pages/page.ts";
import "./navigation.css";

interface NavigationProps {
  readonly pages: readonly Page[];
  /** The page that is shown; null: there is none at this address. */
  readonly current: Page | null;
}

export function Navigation({ pages, current }: NavigationProps) {
  const shown = pages.filter(({ title, isForControl }) => title !== null && (!isForControl || isControl.value));
  return (
    <nav class="navigation" aria-label="Pages">
      {shown.map(({ name, title, short, icon }) => (
        <a
          key={name}
          href={address(name)}
          aria-current={name === current?.name ? "page" : name === current?.parent ? "true" : undefined}
        >
          {icon !== undefined && <Icon name={icon} />}
          <span class="navigation-long">{title}</span>
          <span class="navigation-short">{short ?? title}</span>
        </a>
      ))}
    </nav>
  );
}
