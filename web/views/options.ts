// What a person may choose instead of what the view shows: asked for once, when the view opens.

import { useEffect, useState } from "preact/hooks";

export interface Option {
  readonly value: string;
  readonly text: string;
}

/** Empty until they are there, and if they can't be had: the view then shows what it was opened with. */
export function useOptions(load: (() => Promise<readonly Option[]>) | null): readonly Option[] {
  const [options, setOptions] = useState<readonly Option[]>([]);
  const canLoad = load !== null;
  useEffect(() => {
    if (load === null) return;
    let isGone = false;
    void load().then((loaded) => {
      if (!isGone) setOptions(loaded);
    });
    return () => void (isGone = true);
  }, [canLoad]);
  return options;
}
