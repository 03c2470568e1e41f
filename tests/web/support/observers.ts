// Observers of elements, as a browser has them, for pages without a window.

/** Sees no change. */
export class NoObserver {
  observe(): void {}
  disconnect(): void {}
}

/** Every element can be seen. */
export class AllInSight {
  constructor(readonly tell: (entries: readonly { isIntersecting: boolean }[]) => void) {}
  observe(): void {
    this.tell([{ isIntersecting: true }]);
  }
  disconnect(): void {}
}
