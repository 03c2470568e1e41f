// The signature of an executable for macOS, made without a Mac: hashes of all pages, and nobody's name.
//
// Bun copies its own executable and adds the program. For arm64 it signs the result. For x64 (Bun 1.4.5) it leaves its own
// signature, which then no longer fits, and macOS may end such a program at its start. So both are signed here.
//
// The layout is that of Apple's cs_blobs.h: a SuperBlob with one CodeDirectory of version 2.4, all numbers big-endian. What is
// done for arm64 equals what Bun does, byte for byte.

const LOAD_COMMANDS = 32;
const SEGMENT = 0x19;
const CODE_SIGNATURE = 0x1d;
const PAGE = 4096;
const HASH_BYTES = 32;
/** The fixed fields of a CodeDirectory of version 2.4. */
const DIRECTORY_BYTES = 88;
/** The SuperBlob's header, and its only entry. */
const SUPER_BLOB_BYTES = 20;

const SUPER_BLOB_MAGIC = 0xfade0cc0;
const DIRECTORY_MAGIC = 0xfade0c02;
const VERSION = 0x20400;
/** Signed by a linker, by nobody. */
const LINKER_AD_HOC = 0x20002;
const SHA256 = 2;
/** This is a program and no library. */
const MAIN_BINARY = 1n;

/** Where the load commands say what a signature has to know. Offsets in the file. */
interface Layout {
  readonly signatureCommand: number;
  readonly textCommand: number;
  readonly linkEditCommand: number;
}

/**
 * The executable with a signature of its own in place of the one that it has. Throws if it is no 64-bit Mach-O file with one.
 */
export function adHocSigned(executable: Uint8Array, identifier: string): Uint8Array {
  const view = new DataView(executable.buffer, executable.byteOffset, executable.byteLength);
  const { signatureCommand, textCommand, linkEditCommand } = layoutOf(view);
  const start = view.getUint32(signatureCommand + 8, true);
  const name = new TextEncoder().encode(`${identifier}\0`);
  const pages = Math.ceil(start / PAGE);
  const directoryBytes = DIRECTORY_BYTES + name.length + pages * HASH_BYTES;
  const signatureBytes = SUPER_BLOB_BYTES + directoryBytes;

  const signed = new Uint8Array(start + signatureBytes);
  signed.set(executable.subarray(0, start));
  const target = new DataView(signed.buffer);
  // The first page has these numbers, so they are written before it is hashed.
  target.setUint32(signatureCommand + 12, signatureBytes, true);
  const linkEditBytes = BigInt(signed.length) - view.getBigUint64(linkEditCommand + 40, true);
  target.setBigUint64(linkEditCommand + 48, linkEditBytes, true);
  target.setBigUint64(linkEditCommand + 32, BigInt(Math.ceil(Number(linkEditBytes) / PAGE) * PAGE), true);

  words(target, start, [SUPER_BLOB_MAGIC, signatureBytes, 1, 0, SUPER_BLOB_BYTES]);
  const directory = start + SUPER_BLOB_BYTES;
  const hashes = DIRECTORY_BYTES + name.length;
  words(target, directory, [
    DIRECTORY_MAGIC,
    directoryBytes,
    VERSION,
    LINKER_AD_HOC,
    hashes,
    DIRECTORY_BYTES,
    0,
    pages,
    start,
  ]);
  signed.set([HASH_BYTES, SHA256, 0, Math.log2(PAGE)], directory + 36);
  target.setBigUint64(directory + 64, view.getBigUint64(textCommand + 40, true));
  target.setBigUint64(directory + 72, view.getBigUint64(textCommand + 48, true));
  target.setBigUint64(directory + 80, MAIN_BINARY);
  signed.set(name, directory + DIRECTORY_BYTES);
  for (let page = 0; page < pages; page++) {
    const content = signed.subarray(page * PAGE, Math.min((page + 1) * PAGE, start));
    signed.set(new Bun.CryptoHasher("sha256").update(content).digest(), directory + hashes + page * HASH_BYTES);
  }
  return signed;
}

function layoutOf(view: DataView): Layout {
  if (view.byteLength < LOAD_COMMANDS || view.getUint32(0, true) !== 0xfeedfacf) {
    throw new Error("this is no 64-bit executable for macOS");
  }
  const found = new Map<string, number>();
  for (let at = LOAD_COMMANDS, left = view.getUint32(16, true); left > 0; left--) {
    const command = view.getUint32(at, true);
    if (command === CODE_SIGNATURE) found.set("signature", at);
    if (command === SEGMENT) found.set(segmentName(view, at), at);
    at += view.getUint32(at + 4, true);
  }
  const command = (name: string) => {
    const at = found.get(name);
    if (at === undefined) throw new Error(`the executable has no ${name}: the linker must leave space for a signature`);
    return at;
  };
  return {
    signatureCommand: command("signature"),
    textCommand: command("__TEXT"),
    linkEditCommand: command("__LINKEDIT"),
  };
}

function segmentName(view: DataView, command: number): string {
  const bytes = new Uint8Array(view.buffer, view.byteOffset + command + 8, 16);
  return new TextDecoder().decode(bytes).replace(/\0+$/, "");
}

function words(view: DataView, at: number, values: readonly number[]): void {
  values.forEach((value, index) => view.setUint32(at + index * 4, value));
}
