import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { adHocSigned } from "../../packaging/macos/ad-hoc-signature.ts";
import { LONG } from "../support/sizes.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const CODE_BYTES = 3 * 4096 + 100;
/** The old signature is shorter than the new one has to be. */
const OLD_SIGNATURE_BYTES = 64;

/** A Mach-O file with the segments __TEXT and __LINKEDIT, and a signature that does not fit. */
function unsigned(): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(CODE_BYTES + OLD_SIGNATURE_BYTES).map((_, index) => index % 251);
  const view = new DataView(bytes.buffer);
  [0xfeedfacf, 0x01000007, 3, 2, 3, 160, 0, 0].forEach((word, index) => view.setUint32(index * 4, word, true));
  segment(view, 32, "__TEXT", 0, 8192);
  segment(view, 104, "__LINKEDIT", 8192, CODE_BYTES + OLD_SIGNATURE_BYTES - 8192);
  [0x1d, 16, CODE_BYTES, OLD_SIGNATURE_BYTES].forEach((word, index) => view.setUint32(176 + index * 4, word, true));
  return bytes;
}

function segment(view: DataView, at: number, name: string, offset: number, size: number): void {
  view.setUint32(at, 0x19, true);
  view.setUint32(at + 4, 72, true);
  new Uint8Array(view.buffer, at + 8, 16).fill(0).set(new TextEncoder().encode(name));
  [BigInt(offset), BigInt(size), BigInt(offset), BigInt(size)]
    .forEach((value, index) => view.setBigUint64(at + 24 + index * 8, value, true));
}

/** What the signature of an executable says, and the pages whose hash differs. */
function readSignature(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let command = 32;
  while (view.getUint32(command, true) !== 0x1d) command += view.getUint32(command + 4, true);
  const [start, size] = [view.getUint32(command + 8, true), view.getUint32(command + 12, true)];
  const directory = start + view.getUint32(start + 16);
  const field = (index: number) => view.getUint32(directory + index * 4);
  const [hashes, identifier, pages, limit] = [field(4), field(5), field(7), field(8)];
  const wrong = Array.from({ length: pages }, (_, page) => page).filter((page) => {
    const content = bytes.subarray(page * 4096, Math.min((page + 1) * 4096, limit));
    const named = bytes.subarray(directory + hashes + page * 32, directory + hashes + (page + 1) * 32);
    return !createHash("sha256").update(content).digest().equals(named);
  });
  const name = bytes.subarray(directory + identifier, bytes.indexOf(0, directory + identifier));
  const reachesEnd = start + size === bytes.length && view.getUint32(start + 4) === size;
  return { start, limit, wrong, pages, reachesEnd, identifier: new TextDecoder().decode(name), flags: field(3) };
}

describe("an executable for macOS", () => {
  test("has a signature that fits, up to the end of the file", () => {
    const signed = adHocSigned(unsigned(), "mkt");
    const place = { start: CODE_BYTES, limit: CODE_BYTES, pages: 4, reachesEnd: true };
    expect(readSignature(signed)).toEqual({ ...place, wrong: [], identifier: "mkt", flags: 0x20002 });
    // __LINKEDIT, which has the signature, ends with the file, and its memory with a page.
    const view = new DataView(signed.buffer);
    expect(Number(view.getBigUint64(104 + 40, true) + view.getBigUint64(104 + 48, true))).toBe(signed.length);
    expect(Number(view.getBigUint64(104 + 32, true)) % 4096).toBe(0);
  });

  test("is changed by the signature only in the load commands", () => {
    const [before, after] = [unsigned(), adHocSigned(unsigned(), "mkt")];
    const changed = [...before.subarray(0, CODE_BYTES).keys()].filter((at) => before[at] !== after[at]);
    expect(Math.min(...changed)).toBeGreaterThanOrEqual(104);
    expect(Math.max(...changed)).toBeLessThan(192);
  });

  test("is signed again with the same bytes, and found out if a byte changes", () => {
    const signed = adHocSigned(unsigned(), "mkt");
    expect(adHocSigned(signed, "mkt")).toEqual(signed);
    signed[5000] = (signed[5000] ?? 0) ^ 1;
    expect(readSignature(signed).wrong).toEqual([1]);
  });

  test("must have space for a signature", () => {
    expect(() => adHocSigned(new Uint8Array(4096), "mkt")).toThrow("no 64-bit executable for macOS");
    const without = unsigned();
    without[176] = 0x26;
    expect(() => adHocSigned(without, "mkt")).toThrow("has no signature");
  });

  test.if(LONG)("that Bun has signed gets the same bytes here, and others get a valid signature", async () => {
    const folder = temporaryDirectory();
    await Bun.write(join(folder, "hello.ts"), `console.log("hello");`);
    const built = async (target: "bun-darwin-arm64" | "bun-darwin-x64") => {
      const outfile = join(folder, target);
      await Bun.build({ entrypoints: [join(folder, "hello.ts")], compile: { outfile, target } });
      return await Bun.file(outfile).bytes();
    };
    const arm64 = await built("bun-darwin-arm64");
    expect(Buffer.compare(adHocSigned(arm64, "a.out"), arm64)).toBe(0);
    const signature = readSignature(adHocSigned(await built("bun-darwin-x64"), "mkt"));
    expect(signature).toMatchObject({ wrong: [], reachesEnd: true });
  });
});
