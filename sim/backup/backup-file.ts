// Where `mkt backup` writes: a file that comes into being when it is whole, or stdout.

import { existsSync, rmSync, statSync } from "node:fs";
import { type FileHandle, open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { UsageError } from "../../common/command-line.ts";
import { fileErrorReason } from "../../common/file-error.ts";
import { syncDirectory } from "../journal/private-files.ts";

export interface BackupOutput {
  write(bytes: Uint8Array): Promise<void>;
  /** Makes what was written durable under its name. */
  finish(): Promise<void>;
  /** Deletes what was written. */
  discard(): Promise<void>;
}

/** A file that only its owner can read. It is written beside its place, to NAME.part, and renamed at the end. */
export class BackupFile implements BackupOutput {
  readonly #path: string;
  readonly #part: string;
  readonly #replace: boolean;
  #file: FileHandle | null = null;

  /** Throws UsageError if there is something at `path` already and `replace` is false. */
  constructor(path: string, replace: boolean) {
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

  async finish(): Promise<void> {
    await this.#attempt(async () => {
      await this.#file?.sync();
      await this.#close();
    });
    this.#checkPlace();
    await this.#attempt(async () => {
      await rename(this.#part, this.#path);
      syncDirectory(dirname(this.#path));
    });
  }

  async discard(): Promise<void> {
    await this.#close();
    rmSync(this.#part, { force: true });
  }

  async #begin(): Promise<FileHandle> {
    rmSync(this.#part, { force: true });
    return await open(this.#part, "wx", 0o600);
  }

  async #close(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    await file?.close();
  }

  #checkPlace(): void {
    if (!existsSync(this.#path)) return;
    if (statSync(this.#path).isDirectory()) throw new UsageError(`${this.#path} is a folder: name a file in it`);
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
