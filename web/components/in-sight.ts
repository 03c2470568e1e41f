// Long tables that scroll with the page, and of which only what can be seen is drawn. A page may have a hundred: all are looked
// at before one is drawn, so that the browser lays the page out once. A task draws only some rows, so that the page answers in
// between.

/** A task makes no more rows at each end of a table, and none in the tables after those in which it has made as many. */
const ROWS_A_TASK = 8;
/** So long after the last scrolling, the rows around what can be seen are drawn. */
const PAUSE_MS = 100;

interface LongTable {
  readonly box: HTMLElement;
  /**
   * Reads from the page which rows it needs; in a pause, also those that may soon be seen. `bottom`: of the window, CSS pixels.
   */
  look(bottom: number, isPause: boolean): void;
  /** Needs its head, or its end, and so many rows there instead, unless that is drawn. */
  reach(rows: number, isEnd: boolean): void;
  /** Draws some of them, at most `most` at each end: how many were made, and whether all are drawn. */
  draw(most: number): { readonly made: number; readonly isDone: boolean };
}

const tables = new Set<LongTable>();
/** Whether the page may have changed since the tables were looked at. */
let isStale = false;
let isPause = false;
let isUrgent = false;
let soon: ReturnType<typeof setTimeout> | undefined;
let pause: ReturnType<typeof setTimeout> | undefined;
let ending: AbortController | undefined;

/** Draws what a table needs from now on. The returned function ends that. */
export function watchTable(table: LongTable): () => void {
  if (tables.size === 0) begin();
  tables.add(table);
  look();
  return () => {
    tables.delete(table);
    if (tables.size === 0) end();
  };
}

/** Before the next frame. */
export function drawNow(): void {
  if (isUrgent) return;
  isUrgent = true;
  queueMicrotask(() => {
    isUrgent = false;
    draw();
  });
}

function begin(): void {
  ending = new AbortController();
  const { signal } = ending;
  // Captured, because scrolling of an element is not told to those around it.
  addEventListener("scroll", look, { capture: true, passive: true, signal });
  addEventListener("resize", look, { signal });
  addEventListener("keydown", beforeFocus, { capture: true, signal });
  const observer = new ResizeObserver(look);
  observer.observe(document.body);
  signal.addEventListener("abort", () => observer.disconnect());
}

function end(): void {
  clearTimeout(soon);
  clearTimeout(pause);
  soon = undefined;
  ending?.abort();
}

function look(): void {
  lookSoon(false);
  clearTimeout(pause);
  pause = setTimeout(() => lookSoon(true), PAUSE_MS);
}

function lookSoon(inPause: boolean): void {
  isStale = true;
  isPause = inPause;
  drawSoon();
}

/** The focus goes to what is next in the document, which may be far away, so that must be there. */
function beforeFocus({ key, shiftKey }: KeyboardEvent): void {
  if (key !== "Tab") return;
  const from = document.activeElement ?? document.body;
  // The keys may be faster than the frames in which the browser scrolls.
  from.scrollIntoView({ block: "nearest" });
  lookAtAll(true);
  const next = nextTable(from, shiftKey);
  next?.reach(ROWS_A_TASK, shiftKey);
  next?.draw(ROWS_A_TASK);
  draw();
  look();
  // The browser does not yet know that what was just drawn can take the focus.
  queueMicrotask(() => void document.body.offsetHeight);
}

/** After an element, or before it. */
function nextTable(from: Element, isBefore: boolean): LongTable | undefined {
  const way = isBefore ? Node.DOCUMENT_POSITION_PRECEDING : Node.DOCUMENT_POSITION_FOLLOWING;
  const isOn = (one: Element, other: Element) => (one.compareDocumentPosition(other) & way) !== 0;
  const others = [...tables].filter(({ box }) => isOn(from, box) && !box.contains(from));
  return others.find(({ box }) => others.every((other) => other.box === box || isOn(box, other.box)));
}

/** Not in the frame that scrolls, which would take longer by the making of rows. */
function drawSoon(): void {
  soon ??= setTimeout(draw);
}

function lookAtAll(inPause: boolean): void {
  isStale = false;
  const bottom = innerHeight;
  for (const table of tables) table.look(bottom, inPause);
}

function draw(): void {
  clearTimeout(soon);
  soon = undefined;
  if (isStale) lookAtAll(isPause);
  let left = ROWS_A_TASK;
  let isDone = true;
  for (const table of tables) {
    const drawn = table.draw(Math.max(0, left));
    left -= drawn.made;
    isDone &&= drawn.isDone;
  }
  if (!isDone) drawSoon();
}
