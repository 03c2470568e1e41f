// The frame of every page: header, navigation, and what must not be missed. The address after # says which page is shown.

import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useErrorBoundary, useRef } from "preact/hooks";
import { ErrorNote, Skeleton } from "../components/notices.tsx";
import { Banners } from "./frame/banners.tsx";
import { ControlBand } from "./frame/control-band.tsx";
import { Header } from "./frame/header.tsx";
import { Navigation } from "./frame/navigation.tsx";
import { ControlGate, SignIn } from "./frame/sign-in.tsx";
import { isControl, isControlPage, session } from "./live/session.ts";
import { ConfirmDialog } from "./operation/confirm-dialog.tsx";
import { PAGES } from "./pages/page-list.ts";
import { pageRoute } from "./pages/page.ts";

const hash = signal(location.hash);
addEventListener("hashchange", () => void (hash.value = location.hash));

export function App() {
  const state = session.value;
  if (state === null) {
    return (
      <main class="page">
        <Skeleton label="Asking the server who you are" />
      </main>
    );
  }
  if (state.access === null) return <SignIn />;
  if (isControlPage && !isControl.value) return <ControlGate />;
  return <Frame />;
}

function Frame() {
  const { name, argument } = pageRoute(hash.value);
  const page = PAGES.find((page) => page.name === name) ?? PAGES[0]!;
  const Shown = page.component;
  const key = `${page.name}/${argument}`;
  useFocusOnChange(key);
  return (
    <>
      <a class="skip" href="#content" onClick={skipToPage}>To the content</a>
      <Top />
      <div class="frame">
        <Navigation pages={PAGES} current={page} />
        <main id="content" tabIndex={-1}>
          <Boundary key={key}>
            <Shown argument={argument} />
          </Boundary>
        </main>
      </div>
      <ConfirmDialog />
    </>
  );
}

/** A fault of one page leaves the frame, with its warnings and controls, as it is. */
function Boundary({ children }: { readonly children: ComponentChildren }) {
  const [error, retry] = useErrorBoundary((error) => reportError(error));
  if (error === undefined) return children;
  const message = `This page failed: ${error instanceof Error ? error.message : String(error)}.`;
  const hint = "The rest of the dashboard goes on. If it fails again, reload, and tell whoever runs this server.";
  return (
    <div class="page">
      <ErrorNote report={{ code: "page_failed", message, hint }} onRetry={retry} />
    </div>
  );
}

/** Stays in sight. `--top` is its height, for what sticks below it. */
function Top() {
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      document.documentElement.style.setProperty("--top", `${top.current?.offsetHeight ?? 0}px`);
    });
    observer.observe(top.current!);
    return () => observer.disconnect();
  }, []);
  return (
    <div class="top" ref={top}>
      {isControl.value && <ControlBand />}
      <Header />
      <Banners />
    </div>
  );
}

/** A screen reader goes on with the heading of the new page. */
function useFocusOnChange(key: string): void {
  const shown = useRef(key);
  useEffect(() => {
    if (shown.current === key) return;
    shown.current = key;
    scrollTo(0, 0);
    focusPage();
  }, [key]);
}

function focusPage(): void {
  (document.getElementById("page-title") ?? document.getElementById("content"))?.focus({ preventScroll: true });
}

function skipToPage(event: Event): void {
  event.preventDefault();
  focusPage();
}
