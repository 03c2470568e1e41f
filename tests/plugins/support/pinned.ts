// Pinned files: what is made now must be what was pinned. UPDATE_SNAPSHOTS=1 writes them anew.

import { readdir, rm } from "node:fs/promises";
import { resolve } from "node:path";

const isUpdate = process.env["UPDATE_SNAPSHOTS"] === "1";

export class PinnedFolder {
  constructor(private readonly folder: string) {}

  /** The pinned value; null where nothing was pinned. When updating, pins `value` first. */
  async pinned(name: string, value: unknown): Promise<unknown> {
    const file = Bun.file(resolve(this.folder, `${name}.json`));
    if (isUpdate) await file.write(`${JSON.stringify(value, null, 2)}\n`);
    return await file.exists() ? await file.json() : null;
  }

  /** The names of what is pinned. When updating, removes first what is not in `names`. */
  async names(names: readonly string[]): Promise<string[]> {
    const present = (await readdir(this.folder)).map((file) => file.replace(/\.json$/, ""));
    if (!isUpdate) return present.sort();
    const stale = present.filter((name) => !names.includes(name));
    await Promise.all(stale.map((name) => rm(resolve(this.folder, `${name}.json`))));
    return present.filter((name) => names.includes(name)).sort();
  }
}
