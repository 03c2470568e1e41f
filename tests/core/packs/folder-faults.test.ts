// What in MKT_PLUGIN_DIR is refused, because somebody else could have written it.

import { describe, expect, test } from "bun:test";
import { chmodSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { loadExternalPacks } from "../../../core/packs/external-packs.ts";
import { folderWith, packNamed, tools } from "./support/pack-files.ts";

const FILES = {
  "acme.ts": `import { words } from "./lib/words.ts"; ${packNamed("acme", tools("acme_one"), "words();")}`,
  "zone.ts": packNamed("zone", tools("zone_one")),
  "lib/words.ts": "export const words = () => {};",
};

/** Loads the packs once `change` has changed their folder. */
async function load(change: (folder: string) => void) {
  const folder = await folderWith(FILES);
  change(folder);
  const { packs, failures } = await loadExternalPacks(folder, { environment: {} });
  const reasons = failures.map(({ source, reason }) => [source.replace(`${folder}/`, ""), reason]);
  return { folder, packs: packs.map(({ name }) => name), reasons: Object.fromEntries(reasons) };
}

const byOthers = (mode: string, path: string) =>
  `others on this machine may write it (its mode is ${mode}), and it runs inside mkt: chmod go-w ${path}`;

describe.skipIf(process.platform === "win32")("a folder of packs", () => {
  test("that only its owner may write is loaded, also by a link to it, and with links inside of it", async () => {
    const { packs, reasons } = await load((folder) => {
      renameSync(join(folder, "zone.ts"), join(folder, "lib/zone-1.ts"));
      symlinkSync("lib/zone-1.ts", join(folder, "zone.ts"));
    });
    expect({ packs, reasons }).toEqual({ packs: ["acme", "zone"], reasons: {} });
    const link = join(await folderWith({}), "packs");
    symlinkSync(await folderWith(FILES), link);
    expect((await loadExternalPacks(link, { environment: {} })).packs).toHaveLength(2);
  });

  test.each([0o777, 0o1777, 0o775, 0o757])("of mode 0%o is refused as a whole", async (mode) => {
    const { folder, packs, reasons } = await load((folder) => chmodSync(folder, mode));
    const octal = mode.toString(8).padStart(4, "0");
    expect({ packs, reasons }).toEqual({ packs: [], reasons: { [folder]: byOthers(octal, folder) } });
  });

  test.each([0o666, 0o664, 0o646])("has a pack of mode 0%o refused, and no other", async (mode) => {
    const { folder, packs, reasons } = await load((folder) => chmodSync(join(folder, "zone.ts"), mode));
    const reason = byOthers(`0${mode.toString(8)}`, join(folder, "zone.ts"));
    expect({ packs, reasons }).toEqual({ packs: ["acme"], reasons: { "zone.ts": reason } });
  });

  test.each([["lib/words.ts", 0o666], ["lib", 0o777]])(
    "is refused as a whole if others may write %s, which packs may import",
    async (name, mode) => {
      const { folder, packs, reasons } = await load((folder) => chmodSync(join(folder, name), mode));
      const reason = byOthers(`0${mode.toString(8)}`, join(folder, name));
      expect({ packs, reasons }).toEqual({ packs: [], reasons: { [name]: reason } });
    },
  );

  test("has a pack refused that is a link out of it, or to nowhere", async () => {
    const elsewhere = join(await folderWith({ "evil.ts": packNamed("evil", tools("evil_one")) }), "evil.ts");
    const { packs, reasons } = await load((folder) => {
      symlinkSync(elsewhere, join(folder, "evil.ts"));
      symlinkSync("nowhere.ts", join(folder, "lost.ts"));
    });
    expect(packs).toEqual(["acme", "zone"]);
    expect(reasons).toEqual({
      "evil.ts": `it is a link out of the folder, to ${elsewhere}: copy what it leads to`,
      "lost.ts": "it is a link that leads nowhere: no such file or folder",
    });
  });

  test("is refused as a whole if a folder in it is a link out of it", async () => {
    const { packs, reasons } = await load((folder) => {
      rmSync(join(folder, "lib"), { recursive: true });
      symlinkSync("/tmp", join(folder, "lib"));
    });
    expect({ packs, reasons }).toEqual({
      packs: [],
      reasons: { lib: expect.stringContaining("link out of the folder, to /tmp") },
    });
  });
});
