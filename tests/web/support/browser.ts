// A browser without a window for the pages of web/: its globals, a server that answers with what a test gives, and a page that
// is read, clicked and typed into. Modules of the dashboard keep the state of one page, so each test file loads its own.

import type { ComponentChild } from "preact";
import { render } from "preact";
import { act } from "preact/test-utils";
import { atEnd } from "../../support/at-end.ts";
import { iconNamed } from "./icons.ts";
import { AllInSight, NoObserver } from "./observers.ts";
import { reading } from "./reading.ts";
import { WorkerHere } from "./shared-worker.ts";
import { SmallDocument, SmallElement, type SmallEvent, SmallNode } from "./small-document.ts";

/** What the server answers to a request, by `GET /path` or the name of a tool. A function gets the body or the arguments. */
type Answers = Record<string, unknown>;

/** Thrown by an answer: the server refuses with this. */
export class Refusal {
  constructor(readonly status: number, readonly error: { code: string; message: string; hint?: string }) {}
}

interface Sent {
  readonly path: string;
  readonly body: unknown;
}

/** What preact does after it has drawn. */
const SOON_MS = 50;

/** What the page says to the other tabs, of which there are none; a test may speak for one. */
class OtherTabs {
  static told: unknown[] = [];
  static last: OtherTabs | null = null;
  onmessage: () => void = () => {};

  constructor() {
    OtherTabs.last = this;
  }

  postMessage(message: unknown): void {
    OtherTabs.told.push(message);
  }
}

/**
 * Puts the globals of a browser in place until the test file ends. `path`: of the page. Call it at the top of a file, before
 * anything of web/dashboard is loaded, and load that with `import()`.
 */
export function openBrowser(path = "/") {
  const document = new SmallDocument();
  const location = { pathname: path, hash: "", assigned: [] as string[] };
  const stored = new Map<string, string>();
  const listeners = new SmallNode();
  const clock = new PageClock();
  const go = (address: string) => void location.assigned.push(address);
  const globals = {
    document,
    location: Object.assign(location, { assign: go, replace: go, reload: () => go("reload") }),
    localStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
    },
    matchMedia: () => ({ matches: true, addEventListener: () => {}, removeEventListener: () => {} }),
    addEventListener: listeners.addEventListener.bind(listeners),
    getComputedStyle: (element: SmallElement) => element.style,
    getSelection: () => null,
    scrollTo: () => {},
    innerHeight: 900,
    history: { replaceState: (...[, , hash]: [unknown, string, string]) => void (location.hash = hash) },
    setInterval: (run: () => void, ms: number) => clock.repeat(run, ms),
    clearInterval: (timer: unknown) => clock.end(timer),
    setTimeout: (run: () => void, ms?: number) => clock.once(run, ms),
    clearTimeout: (timer: unknown) => clock.end(timer),
    requestAnimationFrame: (draw: () => void) => clock.once(draw),
    cancelAnimationFrame: (timer: unknown) => clock.end(timer),
    Element: SmallElement,
    HTMLInputElement: SmallElement,
    Node: SmallNode,
    BroadcastChannel: OtherTabs,
    SharedWorker: WorkerHere,
    ResizeObserver: NoObserver,
    MutationObserver: NoObserver,
    IntersectionObserver: AllInSight,
  };
  WorkerHere.forgetAll();
  const answers: Answers = {};
  const sent: Sent[] = [];
  const before = Object.getOwnPropertyDescriptors(globalThis) as Record<string, PropertyDescriptor>;
  const all = { ...globals, fetch: fetchFrom(answers, sent) };
  for (const [name, value] of Object.entries(all)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  forgetDashboard();
  atEnd(() => {
    forgetDashboard();
    for (const name of Object.keys(all)) {
      if (before[name] === undefined) Reflect.deleteProperty(globalThis, name);
      else Object.defineProperty(globalThis, name, before[name]!);
    }
  });
  return {
    document,
    location,
    stored,
    answers,
    sent,
    listeners,
    tabs: OtherTabs,
    later: (ms?: number) => settle(() => clock.later(ms)),
  };
}

/** With what others in the process ask of a timer: an engine of an earlier file may still end meanwhile. */
class PageTimer {
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
}

/** Timers of the page: what it does soon happens, and what it does later happens when a test says so. */
class PageClock {
  readonly #timers = new Map<unknown, { readonly ms: number; readonly run: () => void }>();
  readonly #setTimeout = setTimeout;
  readonly #clearTimeout = clearTimeout;

  once(run: () => void, ms = 0): unknown {
    if (ms <= SOON_MS) return this.#setTimeout(run, ms);
    const timer = new PageTimer();
    const runOnce = () => {
      this.#timers.delete(timer);
      run();
    };
    this.#timers.set(timer, { ms, run: runOnce });
    return timer;
  }

  repeat(run: () => void, ms: number): unknown {
    const timer = new PageTimer();
    this.#timers.set(timer, { ms, run });
    return timer;
  }

  end(timer: unknown): void {
    if (!this.#timers.delete(timer)) this.#clearTimeout(timer as Timer);
  }

  /** What waits for at most `ms` happens. */
  later(ms = Infinity): void {
    for (const timer of [...this.#timers.values()]) if (timer.ms <= ms) timer.run();
  }
}

/** The next `import()` of a module of the dashboard makes it anew. */
function forgetDashboard(): void {
  for (const path of Object.keys(require.cache)) if (path.includes("/web/dashboard/")) delete require.cache[path];
}

function fetchFrom(answers: Answers, sent: Sent[]): typeof fetch {
  const answer = async (path: string, { method = "GET", body }: { method?: string; body?: string } = {}) => {
    const given = body === undefined ? undefined : JSON.parse(body);
    sent.push({ path, body: given });
    const tool = /^\/dashboard\/tools\/(.*)$/.exec(path)?.[1];
    const key = tool ?? `${method} ${path.replace(/\?.*/, "")}`;
    if (!(key in answers)) return new Promise<Response>(() => {});
    const making = {};
    underWay.add(making);
    try {
      const known = answers[key];
      const result = typeof known === "function"
        ? await known(tool === undefined ? path : given.arguments, given)
        : known;
      const isReply = tool === undefined || (typeof result === "object" && result !== null && "kind" in result);
      return Response.json(isReply ? result : { kind: "result", isError: false, result });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return Response.json({ error: error.error }, { status: error.status });
    } finally {
      underWay.delete(making);
    }
  };
  return answer as unknown as typeof fetch;
}

/** Lets the page draw itself and take what the server has answered. */
export async function settle(change: () => void = () => {}): Promise<void> {
  await act(change);
  for (let quiet = 0, round = 0; quiet < QUIET_ROUNDS && round < MOST_ROUNDS; round++) {
    await act(() => new Promise<void>((resolve) => setImmediate(resolve)));
    quiet = underWay.size === 0 ? quiet + 1 : 0;
  }
  underWay.clear();
}

/** Lets the page do what it has put off to its next task. */
export async function nextTask(): Promise<void> {
  await act(() => new Promise<void>((resolve) => void setTimeout(resolve)));
  await settle();
}

/** After the last answer, which the page reads and draws in a few turns. */
const QUIET_ROUNDS = 6;
/** A test may keep an answer back, which is then waited for only once. */
const MOST_ROUNDS = 25;

/** Answers that are being made. */
const underWay = new Set<object>();

/** Shows it until the test ends. */
export async function show(content: ComponentChild): Promise<Shown> {
  const root = document.createElement("main") as unknown as SmallElement;
  (document.body as unknown as SmallElement).append(root);
  const container = root as unknown as Element;
  await settle(() => render(content, container));
  atEnd(async () => {
    await act(() => render(null, container));
    root.remove();
  });
  return new Shown(root, container);
}

export class Shown {
  constructor(readonly root: SmallElement, readonly container: Element) {}

  get text(): string {
    return reading(this.root);
  }

  /** What the mouse and a screen reader find beside the text: labels, titles, states and pictures (`◇name`). */
  get hints(): string[] {
    return [...this.root.descendants()].flatMap((element) => {
      const { attributes, parentNode } = element;
      if (parentNode?.attributes.get("class") === "icon") return [`◇${iconNamed(attributes.get("d") ?? "")}`];
      const label = attributes.get("aria-label");
      const title = attributes.get("title");
      const state = ["aria-sort", "aria-current"].flatMap((name) => attributes.get(name) ?? []);
      return [
        ...(label === undefined ? [] : [label]),
        ...(title === undefined || title === label ? [] : [title]),
        ...state,
      ];
    });
  }

  readingOf(element: SmallElement): string {
    return reading(element);
  }

  async redraw(content: ComponentChild): Promise<void> {
    await settle(() => render(content, this.container));
  }

  /** The elements whose class, or whose name, this is. */
  all(name: string): SmallElement[] {
    return [...this.root.descendants()].filter((element) =>
      element.localName === name || (element.attributes.get("class") ?? "").split(" ").includes(name)
    );
  }

  /** The element that reads so, or has that label or title: a button if there is one, otherwise the innermost. */
  find(words: string): SmallElement {
    const all = [...this.root.descendants()].filter((element) =>
      ["aria-label", "title"].some((name) => element.attributes.get(name) === words) || plain(element) === words
    );
    const found = all.find(({ localName }) => localName === "button") ?? all.at(-1);
    if (found === undefined) throw new Error(`nothing reads ${JSON.stringify(words)} in:\n${this.text}`);
    return found;
  }

  async click(words: string): Promise<void> {
    await this.send(words, { type: "click" });
  }

  async send(words: string, event: SmallEvent): Promise<void> {
    const element = this.find(words);
    await settle(() => void element.dispatch(event));
  }

  /** Into the first field with this label. */
  async type(label: string, value: string, type: "input" | "change" = "input"): Promise<void> {
    const named = this.all("label").find((element) => plain(element) === label) ?? this.find(label);
    const id = named.attributes.get("for");
    const inside = [...named.descendants()].find(({ localName }) => localName === "select" || localName === "input");
    const field = id === undefined ? inside ?? named : this.root.querySelector(`[id="${id}"]`)!;
    await settle(() => {
      field.value = value;
      field.dispatch({ type });
    });
  }
}

function plain(element: SmallElement): string {
  return reading(element).replace(/^<|( [↑↓✓✗])*>$/g, "").replaceAll(/‹[^›]*›/g, "").trim();
}
