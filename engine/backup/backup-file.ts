// Where `mkt backup` writes: a file that comes into being when it is whole, or stdout.

import { existsSync, rmSync, statSync } from "node:fs";
import { type FileHandle, open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { UsageError } from "../../common/command-line.ts";
import { fileErrorReason } from "../../common/file-error.ts";
import { syncDirectory } from "../journal/private-files.ts";

/** Rejects if the file is of no use. */
type CheckFile = (path: string) => Promise<unknown>;

export interface BackupOutput {
  write(bytes: Uint8Array): Promise<void>;
  /** Makes what was written durable under its name, if `check` accepts it. */
  finish(check: CheckFile): Promise<void>;
  /** Deletes what was written. */
  discard(): Promise<void>;
}

/** A file that only its owner can read. It is written beside its place, to NAME.part, and renamed at the end. */
export class BackupFile implements BackupOutput {
  readonly #path: string;
  readonly #part: string;
  readonly #replace: boolean;
  #file: FileHandle | null = null;
  /** Which file was begun. */
  #begun: { readonly dev: number; readonly ino: number } | null = null;

  /** Throws UsageError if there is something at `path` already: a file only if `replace` is false. */
  constructor(path: string, { replace }: { readonly replace: boolean }) {
    if (path === "") throw new UsageError("out: is empty: name a file, or - for stdout");
    this.#path = path;
    this.#part = `${path}.part`;
    this.#replace = replace;
    this.#checkPlace();
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.#attempt(async () => {
      const file = this.#file ??= await this.#begin();
      for (let at = 0; at < bytes.length;) at += (await file.write(bytes, at)).bytesWritten;
    });
  }

  async finish(check: CheckFile): Promise<void> {
    await this.#attempt(async () => await this.#file?.sync());
    if (!this.#isPartOurs) throw new Error(`another mkt backup writes ${this.#part}: give each its own file`);
    await this.#attempt(async () => await this.#close());
    await check(this.#part);
    this.#checkPlace();
    await this.#attempt(async () => {
      await rename(this.#part, this.#path);
      syncDirectory(dirname(this.#path));
    });
  }

  async discard(): Promise<void> {
    await this.#close();
    if (this.#isPartOurs) rmSync(this.#part);
  }

  /** Whether OUT.part is the file that was begun: another process may have replaced it. */
  get #isPartOurs(): boolean {
    const part = statSync(this.#part, { throwIfNoEntry: false });
    return part !== undefined && part.dev === this.#begun?.dev && part.ino === this.#begun.ino;
  }

  async #begin(): Promise<FileHandle> {
    rmSync(this.#part, { force: true });
    const file = await open(this.#part, "wx", 0o600);
    this.#begun = await file.stat();
    return file;
  }

  async #close(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    await file?.close();
  }

  #checkPlace(): void {
    if (!existsSync(this.#path)) return;
    const place = statSync(this.#path);
    if (place.isDirectory()) throw new UsageError(`${this.#path} is a folder: name a file in it`);
    // The renaming would replace a device or a pipe by the file.
    if (!place.isFile()) throw new UsageError(`${this.#path} is not a regular file: name another, or - for stdout`);
    if (!this.#replace) throw new UsageError(`${this.#path} exists already: choose another name, or add --force`);
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      throw new Error(`${this.#part} can't be written: ${fileErrorReason(error)}`, { cause: error });
    }
  }
}
