// What a person may choose instead of what the view shows: asked for once, when the view opens.

import { useEffect, useState } from "preact/hooks";

export interface Option {
  readonly value: string;
  readonly text: string;
  /** Under which heading; absent: none. */
  readonly group?: string;
}

/** Empty until the items are there, and if they can't be had: the view then shows what it was opened with. */
export function useItems<Item>(load: (() => Promise<readonly Item[]>) | null): readonly Item[] {
  const [items, setItems] = useState<readonly Item[]>([]);
  const canLoad = load !== null;
  useEffect(() => {
    if (load === null) return;
    let isGone = false;
    void load().then((loaded) => {
      if (!isGone) setItems(loaded);
    });
    return () => void (isGone = true);
  }, [canLoad]);
  return items;
}
