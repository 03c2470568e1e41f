import { describe, expect, test } from "bun:test";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { tarGz, zip } from "../../packaging/archives.ts";
import { checksumText, sha256Of } from "../../packaging/checksums.ts";
import { SHA256SUM } from "../support/sha256sum.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const files = [
  { path: "mkt", content: bytes("#!/bin/sh\necho started\n"), executable: true },
  { path: "LICENSE", content: bytes("Do as you like.\n"), executable: false },
];

/** Runs a command in a folder and returns what it prints. */
function run(cwd: string, ...command: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd, stdout: "pipe", stderr: "pipe" });
  expect({ exitCode, stderr: stderr.toString() }).toEqual({ exitCode: 0, stderr: "" });
  return stdout.toString();
}

describe("a tar.gz", () => {
  test("is unpacked by tar into one folder, with the executable bit", async () => {
    const folder = temporaryDirectory();
    writeFileSync(join(folder, "mkt.tar.gz"), await tarGz("mkt-1.2.3", files));
    run(folder, "tar", "-xzf", "mkt.tar.gz");
    expect(run(folder, "./mkt-1.2.3/mkt")).toBe("started\n");
    expect(await Bun.file(join(folder, "mkt-1.2.3/LICENSE")).text()).toBe("Do as you like.\n");
    expect(statSync(join(folder, "mkt-1.2.3/mkt")).mode & 0o777).toBe(0o755);
    expect(statSync(join(folder, "mkt-1.2.3/LICENSE")).mode & 0o777).toBe(0o644);
  });

  test("has the same bytes for the same files in any order, and names no user of this machine", async () => {
    const archive = await tarGz("mkt-1.2.3", files);
    expect(await tarGz("mkt-1.2.3", files.toReversed())).toEqual(archive);
    // Bytes 4 to 7 of gzip's header are a time, which is left out.
    expect([...archive.slice(4, 8)]).toEqual([0, 0, 0, 0]);
    const tar = new TextDecoder("latin1").decode(Bun.gunzipSync(archive));
    expect(tar.match(/root/g)).toHaveLength(6);
    // The time of npm, in octal digits.
    expect(tar.match(/03560116604/g)).toHaveLength(3);
  });
});

describe("a zip", () => {
  test("holds the files in one folder, with the modes of Unix", () => {
    const archive = zip("mkt-1.2.3", files);
    const content = unzipSync(archive);
    expect(Object.keys(content)).toEqual(["mkt-1.2.3/LICENSE", "mkt-1.2.3/mkt"]);
    expect(new TextDecoder().decode(content["mkt-1.2.3/LICENSE"])).toBe("Do as you like.\n");
    // The entries of the directory at the end: made by Unix, and the mode in the upper half of the attributes.
    const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
    const entries = [...archive.keys()].filter((at) =>
      at + 4 <= archive.length && view.getUint32(at, true) === 0x02014b50
    );
    expect(entries.map((at) => view.getUint8(at + 5))).toEqual([3, 3]);
    expect(entries.map((at) => view.getUint16(at + 40, true).toString(8))).toEqual(["100644", "100755"]);
  });

  test("has the same bytes in every time zone", () => {
    const hashIn = (zone: string) => {
      const code = `
        import { zip } from ${JSON.stringify(join(import.meta.dir, "../../packaging/archives.ts"))};
        const content = new TextEncoder().encode("x");
        console.log(Bun.hash(zip("a", [{ path: "b", content, executable: true }])).toString());`;
      const environment = { ...process.env, TZ: zone };
      return Bun.spawnSync([process.execPath, "-e", code], { env: environment }).stdout.toString().trim();
    };
    expect(hashIn("Asia/Tokyo")).toMatch(/^\d+$/);
    expect(hashIn("America/Los_Angeles")).toBe(hashIn("Asia/Tokyo"));
  });
});

test("SHA256SUMS is accepted by sha256sum, and a changed file is found", async () => {
  const folder = temporaryDirectory();
  writeFileSync(join(folder, "b"), "second");
  writeFileSync(join(folder, "a"), "first");
  const hashOf = async (name: string) => ({ name, sha256: await sha256Of(join(folder, name)) });
  const hashed = [await hashOf("b"), await hashOf("a")];
  writeFileSync(join(folder, "SHA256SUMS"), checksumText(hashed));
  expect(run(folder, ...SHA256SUM, "--check", "--strict", "SHA256SUMS")).toBe("a: OK\nb: OK\n");
  writeFileSync(join(folder, "a"), "other");
  expect(Bun.spawnSync([...SHA256SUM, "--check", "SHA256SUMS"], { cwd: folder }).exitCode).toBe(1);
});
