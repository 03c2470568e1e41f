// What kind of executable a file is, by its header: a check that each archive has the file of its platform.

import type { Platform } from "../platforms.ts";

interface ExecutableFormat {
  readonly os: Platform["os"];
  readonly processor: Platform["nodeArch"];
}

const PROCESSORS: Readonly<Record<string, ExecutableFormat["processor"]>> = {
  // ELF: e_machine.
  "linux 62": "x64",
  "linux 183": "arm64",
  // Mach-O: cputype, with the bit for 64 bits.
  [`macos ${0x01000007}`]: "x64",
  [`macos ${0x0100000c}`]: "arm64",
  // PE: Machine.
  [`windows ${0x8664}`]: "x64",
  [`windows ${0xaa64}`]: "arm64",
};

/** Null if it is none that is known. Needs the first kilobyte of the file. */
export function executableFormat(header: Uint8Array): ExecutableFormat | null {
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  if (header.byteLength < 512) return null;
  const [os, machine] = osAndMachine(view);
  const processor = PROCESSORS[`${os} ${machine}`];
  return os === null || processor === undefined ? null : { os, processor };
}

function osAndMachine(view: DataView): [ExecutableFormat["os"] | null, number] {
  // 0x7f and ELF; 64 bits, little-endian.
  if (view.getUint32(0) === 0x7f454c46 && view.getUint16(4) === 0x0201) return ["linux", view.getUint16(18, true)];
  if (view.getUint32(0, true) === 0xfeedfacf) return ["macos", view.getUint32(4, true)];
  // MZ, and the place of the header that begins with PE and two zeros.
  if (view.getUint16(0) === 0x4d5a) {
    const at = view.getUint32(0x3c, true);
    if (at + 6 <= view.byteLength && view.getUint32(at) === 0x50450000) {
      return ["windows", view.getUint16(at + 4, true)];
    }
  }
  return [null, 0];
}

/** Throws if the file is no executable of the platform. */
export async function checkFormat(path: string, { os, nodeArch }: Platform): Promise<void> {
  const format = executableFormat(await Bun.file(path).slice(0, 1024).bytes());
  if (format?.os === os && format.processor === nodeArch) return;
  throw new Error(`${path} is no executable for ${os} on ${nodeArch}`);
}
