// The frame of every page: status, navigation, search. The address after # says which page is shown.

import { signal } from "@preact/signals";
import { market } from "./live/market-store.ts";
import { address } from "./pages/page.ts";
import { PAGES } from "./pages/page-list.ts";
import { contact, facts, startStream, watchSurroundings } from "./live/stream.ts";

const hash = signal(location.hash);
addEventListener("hashchange", () => void (hash.value = location.hash));
watchSurroundings();
startStream(() => {});
Object.assign(globalThis, { mktDashboard: facts });

export function App() {
  const [, name = "", argument = ""] = hash.value.split("/");
  const page = PAGES.find((page) => page.name === name) ?? PAGES[0]!;
  const Shown = page.component;
  return (
    <>
      <header>
        <strong>mkt</strong> {contact.value.state} {market.connection.value?.status}
        <nav>
          {PAGES.filter(({ title }) => title !== null).map(({ name, title }) => (
            <a key={name} href={address(name)} aria-current={name === page.name ? "page" : undefined}>{title}</a>
          ))}
        </nav>
      </header>
      <main>
        <Shown argument={decodeURIComponent(argument)} />
      </main>
    </>
  );
}
