// The frame of every page: header, navigation, and what must not be missed. The address after # says which page is shown.

import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useErrorBoundary, useRef } from "preact/hooks";
import { ErrorNote, Skeleton } from "../components/notices.tsx";
import { NewestAlert } from "./alerts/alert-bell.tsx";
import { Surroundings } from "../components/surroundings.ts";
import { useAddressed } from "./address/address-state.ts";
import { Banners } from "./frame/banners.tsx";
import { ControlBand } from "./frame/control-band.tsx";
import { Header } from "./frame/header.tsx";
import { Navigation } from "./frame/navigation.tsx";
import { ControlGate, SignIn } from "./frame/sign-in.tsx";
import { UnknownPage } from "./frame/unknown-page.tsx";
import { isControl, isControlPage, session } from "./live/session.ts";
import { ConfirmDialog } from "./operation/confirm-dialog.tsx";
import { closeWithPage } from "./operation/confirmation.ts";
import { PAGES } from "./page-list.ts";
import { pageRoute } from "./pages/page.ts";
import { PictureTool } from "./take-along/picture-tool.tsx";
import { TableTools } from "./take-along/table-tools.tsx";

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

/** What the shared components find here. */
const SURROUNDINGS = { TableTools, PictureTool, useAddressed };

function Frame() {
  const { name, argument } = pageRoute(hash.value);
  const page = isStart(hash.value) ? PAGES[0]! : PAGES.find((page) => page.name === name) ?? null;
  const Shown = page?.component ?? UnknownPage;
  const key = `${page?.name ?? hash.value}/${argument}`;
  useFocusOnChange(key);
  useEffect(closeWithPage, [key]);
  return (
    <>
      <a class="skip" href="#content" onClick={skipToPage}>To the content</a>
      <Top />
      <div class="frame">
        <Navigation pages={PAGES} current={page} />
        <main id="content" tabIndex={-1}>
          <Surroundings.Provider value={SURROUNDINGS}>
            <Boundary key={key}>
              <Shown argument={argument} />
            </Boundary>
          </Surroundings.Provider>
        </main>
      </div>
      <NewestAlert />
      <ConfirmDialog />
    </>
  );
}

/** Whether the address names no page at all. */
function isStart(hash: string): boolean {
  return ["", "#", "#/"].includes(hash);
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
