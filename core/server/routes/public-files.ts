// Answers requests for public files. Content, compressed content and ETag of a file are made once, at its first request, and
// kept.
//
// Only public files are compressed: an answer that mixes a secret with text of somebody else would tell of the secret by its
// length.

import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import { allowedHeaders } from "./route-headers.ts";
import type { PublicFile } from "../../routes/route.ts";

/** Bytes. Compressing a shorter file would save no packet. */
const MIN_BYTES = 1_000;
/** A file that compresses worse than to this part of its length is compressed already. */
const WORTHWHILE = 0.9;

const compressed = promisify(gzip);

/** One form of a file, by its Content-Encoding. */
interface Variant {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

interface PreparedFile {
  readonly plain: Variant;
  /** Null if it is not worth it. */
  readonly gzip: Variant | null;
}

export class PublicFiles {
  readonly #prepared = new Map<PublicFile, Promise<PreparedFile>>();

  /** Throws what the file's own function throws; the next request calls it again then. */
  async answer(file: PublicFile, { method, headers }: Request): Promise<Response> {
    const { plain, gzip } = await this.#preparedOf(file);
    const isCompressed = gzip !== null && acceptsGzip(headers.get("Accept-Encoding"));
    const { bytes, etag } = isCompressed ? gzip : plain;
    const isKnown = matches(headers.get("If-None-Match"), etag);
    const own = allowedHeaders(
      new Headers({
        "Cache-Control": file.cacheControl ?? "no-store",
        "ETag": etag,
        ...(gzip !== null && { "Vary": "Accept-Encoding" }),
        ...(file.contentSecurityPolicy !== undefined && { "Content-Security-Policy": file.contentSecurityPolicy }),
        ...(!isKnown && { "Content-Type": file.contentType }),
        ...(!isKnown && isCompressed && { "Content-Encoding": "gzip" }),
      }),
    );
    // The body of an answer to HEAD is left out later, and 0 would be sent as the length of the file.
    if (method === "HEAD" && !isKnown) own.set("Content-Length", String(bytes.length));
    return new Response(isKnown ? null : bytes, { status: isKnown ? 304 : 200, headers: own });
  }

  #preparedOf(file: PublicFile): Promise<PreparedFile> {
    const known = this.#prepared.get(file);
    if (known !== undefined) return known;
    const made = prepared(file);
    this.#prepared.set(file, made);
    made.catch(() => this.#prepared.delete(file));
    return made;
  }
}

async function prepared({ content }: PublicFile): Promise<PreparedFile> {
  const given = typeof content === "function" ? await content() : content;
  const bytes = new Uint8Array(Buffer.from(given as string));
  const hash = createHash("sha256").update(bytes).digest("base64url");
  const plain = { bytes, etag: `"${hash}"` };
  if (bytes.length < MIN_BYTES) return { plain, gzip: null };
  const shorter = new Uint8Array(await compressed(bytes, { level: constants.Z_BEST_COMPRESSION }));
  const isWorthwhile = shorter.length < bytes.length * WORTHWHILE;
  return { plain, gzip: isWorthwhile ? { bytes: shorter, etag: `"${hash}-gzip"` } : null };
}

/** RFC 9110, section 12.5.3. What names both gzip and `*` means the former. */
function acceptsGzip(header: string | null): boolean {
  const codings = new Map(
    (header ?? "").toLowerCase().split(",").map((each) => {
      const [coding = "", ...parameters] = each.split(";").map((part) => part.trim());
      const isRefused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
      return [coding, !isRefused];
    }),
  );
  return codings.get("gzip") ?? codings.get("*") ?? false;
}

/** RFC 9110, section 13.1.2: a list of tags, compared without regard to their weakness. */
function matches(header: string | null, etag: string): boolean {
  return (header ?? "").split(",").map((each) => each.trim().replace(/^W\//, "")).some((each) =>
    each === etag || each === "*"
  );
}
