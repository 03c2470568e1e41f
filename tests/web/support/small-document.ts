// As much of a browser's document as preact and our pages use: elements with attributes, styles, listeners and children. It
// draws nothing, so a test reads what a page says (reading.ts), and costs a thousandth of a browser. tests/e2e has the real
// one.

type Listener = (event: SmallEvent) => void;

/** What a test dispatches. `key` and `timeStamp` are those of keys. */
export interface SmallEvent {
  readonly type: string;
  readonly key?: string;
  readonly shiftKey?: boolean;
  readonly timeStamp?: number;
  readonly clientX?: number;
  target?: SmallNode;
  currentTarget?: SmallNode;
  isPrevented?: boolean;
  preventDefault?: () => void;
}

export class SmallNode {
  static readonly DOCUMENT_POSITION_PRECEDING = 2;
  static readonly DOCUMENT_POSITION_FOLLOWING = 4;
  parentNode: SmallElement | null = null;
  readonly #listeners = new Map<string, Set<Listener>>();

  get nextSibling(): SmallNode | null {
    const siblings = this.parentNode?.childNodes ?? [];
    return siblings[siblings.indexOf(this) + 1] ?? null;
  }

  remove(): void {
    this.parentNode?.removeChild(this);
  }

  addEventListener(type: string, listener: Listener, options?: { readonly signal?: AbortSignal }): void {
    options?.signal?.addEventListener("abort", () => this.removeEventListener(type, listener));
    const known = this.#listeners.get(type);
    if (known === undefined) this.#listeners.set(type, new Set([listener]));
    else known.add(listener);
  }

  removeEventListener(type: string, listener: Listener): void {
    this.#listeners.get(type)?.delete(listener);
  }

  /** Bubbles. Returns whether the page has prevented what the browser would do. */
  dispatch(given: Omit<SmallEvent, "target" | "currentTarget">): boolean {
    const event: SmallEvent = { ...given, target: this, preventDefault: () => void (event.isPrevented = true) };
    this.#receive(event);
    return event.isPrevented === true;
  }

  #receive(event: SmallEvent): void {
    event.currentTarget = this;
    for (const listener of [...this.#listeners.get(event.type) ?? []]) listener.call(this, event);
    if (this.parentNode !== null) this.parentNode.#receive(event);
  }
}

export class SmallText extends SmallNode {
  readonly nodeType = 3;
  constructor(public data: string) {
    super();
  }
}

export class SmallElement extends SmallNode {
  readonly nodeType = 1;
  readonly childNodes: SmallNode[] = [];
  readonly attributes = new Map<string, string>();
  readonly style: Record<string, unknown>;
  readonly dataset: Record<string, string> = {};
  readonly classList = { toggle: () => {} };
  /** What the browser would measure or do. */
  clientHeight = 600;
  scrollTop = 0;
  value: string | undefined;
  checked: boolean | undefined;
  open: boolean | undefined;

  constructor(readonly localName: string) {
    super();
    this.style = { setProperty: (name: string, value: string) => void (this.style[name] = value) };
  }

  get firstChild(): SmallNode | null {
    return this.childNodes[0] ?? null;
  }

  get isConnected(): boolean {
    return this.parentNode !== null;
  }

  setAttribute(name: string, value: unknown): void {
    this.attributes.set(name, String(value));
    if (name.startsWith("data-")) this.dataset[name.slice("data-".length)] = String(value);
  }

  removeAttribute(name: string): void {
    this.attributes.delete(name);
  }

  insertBefore(node: SmallNode, before: SmallNode | null): void {
    if (node.parentNode !== null) node.parentNode.removeChild(node);
    const place = before === null ? this.childNodes.length : this.childNodes.indexOf(before);
    this.childNodes.splice(place, 0, node);
    node.parentNode = this;
  }

  append(node: SmallNode): void {
    this.insertBefore(node, null);
  }

  removeChild(node: SmallNode): void {
    this.childNodes.splice(this.childNodes.indexOf(node), 1);
    node.parentNode = null;
  }

  /** The element itself or one around it; `names`: those of elements, with commas. */
  closest(names: string): SmallElement | null {
    if (names.split(/,\s*/).includes(this.localName)) return this;
    return this.parentNode?.closest(names) ?? null;
  }

  *descendants(): Generator<SmallElement> {
    for (const child of this.childNodes) {
      if (!(child instanceof SmallElement)) continue;
      yield child;
      yield* child.descendants();
    }
  }

  contains(other: SmallElement): boolean {
    return other === this || [...this.descendants()].includes(other);
  }

  root(): SmallElement {
    return this.parentNode?.root() ?? this;
  }

  /** As if neither were in the other. Both are in the document. */
  compareDocumentPosition(other: SmallElement): number {
    const root = this.root();
    const order = [root, ...root.descendants()];
    const isLater = order.indexOf(other) > order.indexOf(this);
    return isLater ? SmallNode.DOCUMENT_POSITION_FOLLOWING : SmallNode.DOCUMENT_POSITION_PRECEDING;
  }

  /** One attribute, as in `[data-place="0 1"]`. */
  querySelector(selector: string): SmallElement | null {
    const [, name, value] = /^\[([\w-]+)="(.*)"\]$/.exec(selector) ?? [];
    for (const element of this.descendants()) if (element.attributes.get(name!) === value) return element;
    return null;
  }

  getBoundingClientRect() {
    return { left: 0, top: 0, width: 100 };
  }

  focus(): void {
    this.dispatch({ type: "focus" });
  }

  select(): void {}
  blur(): void {}
  scrollIntoView(): void {}
  showModal(): void {}
  close(): void {}
  animate() {
    return { finished: new Promise(() => {}) };
  }
}

export class SmallDocument extends SmallNode {
  hidden = false;
  title = "";
  readonly visibilityState = "visible";
  readonly documentElement = new SmallElement("html");
  readonly body = new SmallElement("body");

  constructor() {
    super();
    this.documentElement.append(this.body);
  }

  createElement(name: string): SmallElement {
    return new SmallElement(name);
  }

  createElementNS(_namespace: string, name: string): SmallElement {
    return new SmallElement(name);
  }

  createTextNode(text: string): SmallText {
    return new SmallText(text);
  }

  getElementById(id: string): SmallElement | null {
    return this.body.querySelector(`[id="${id}"]`);
  }

  querySelector(selector: string): SmallElement | null {
    return this.documentElement.querySelector(selector.replace(/^\w+/, ""));
  }
}
