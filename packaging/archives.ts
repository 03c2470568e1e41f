// Archives of a release: tar.gz and zip, made in memory. The same files give the same bytes, on every machine and at every
// time: the order of the files, their times, owners and modes are fixed.

import { gzipSync } from "bun";
import { type Zippable, zipSync } from "fflate";
import { packTar } from "modern-tar";

export interface ArchivedFile {
  /** Its path in the archive's folder, with slashes. */
  readonly path: string;
  readonly content: Uint8Array;
  readonly executable: boolean;
}

/** The time of every file. It is the one that npm gives the files of packages. */
const TIME = new Date("1985-10-26T08:15:00Z");
/** A zip file has times without a zone. fflate takes them from the machine's own zone. */
const ZIP_TIME = new Date(1985, 9, 26, 8, 15, 0);

/** The bytes of a tar.gz file with everything in one folder. */
export async function tarGz(folder: string, files: readonly ArchivedFile[]): Promise<Uint8Array<ArrayBuffer>> {
  const owner = { uid: 0, gid: 0, uname: "root", gname: "root", mtime: TIME };
  const tar = await packTar([
    { header: { ...owner, name: `${folder}/`, type: "directory", size: 0, mode: 0o755 } },
    ...sorted(files).map(({ path, content, executable }) => ({
      header: { ...owner, name: `${folder}/${path}`, size: content.length, mode: modeOf(executable) },
      body: content,
    })),
  ]);
  return gzipSync(tar as Uint8Array<ArrayBuffer>, { level: 9 });
}

/** The bytes of a zip file with everything in one folder. Modes are those of Unix, for people who unpack it there. */
export function zip(folder: string, files: readonly ArchivedFile[]): Uint8Array {
  const content: Zippable = Object.fromEntries(
    sorted(files).map((file) => [`${folder}/${file.path}`, [file.content, attributes(file)]]),
  );
  return zipSync(content, { level: 9 });
}

const FROM_UNIX = 3;
const REGULAR_FILE = 0o100000;

function attributes({ executable }: ArchivedFile) {
  // Unsigned: the file type is the highest bit.
  return { mtime: ZIP_TIME, os: FROM_UNIX, attrs: ((REGULAR_FILE | modeOf(executable)) << 16) >>> 0 };
}

function modeOf(executable: boolean): number {
  return executable ? 0o755 : 0o644;
}

function sorted(files: readonly ArchivedFile[]): ArchivedFile[] {
  return files.toSorted((a, b) => a.path < b.path ? -1 : 1);
}
