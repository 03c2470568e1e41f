// Bun, which is most of the executable, and the libraries that Bun contains, as far as Bun says so.
//
// The list follows the licence document of Bun's repository. Versions are those of `process.versions`, mostly commits, and
// unknown for the others. A new version of Bun may add or drop a library: compare its document when package.json names a
// new version.

export interface RuntimePart {
  readonly name: string;
  /** An SPDX expression. */
  readonly license: string;
  readonly homepage: string;
  /** Whom the licence wants named. */
  readonly copyright: string;
  /** Its name in `process.versions`. */
  readonly versionKey?: string;
  /** Which part of it Bun contains, if it is not a library as a whole. */
  readonly note?: string;
}

/** A part whose home is this repository of GitHub. */
function hosted(name: string, license: string, repository: string) {
  return { name, license, homepage: `https://github.com/${repository}` };
}

export const BUN: RuntimePart = {
  ...hosted("bun", "MIT", "oven-sh/bun"),
  copyright: "The authors of Bun",
  versionKey: "bun",
};

export const RUNTIME_PARTS: readonly RuntimePart[] = [
  {
    ...hosted("WebKit", "LGPL-2.0-or-later", "oven-sh/WebKit"),
    copyright: "Apple Inc. and the authors of WebKit",
    note: "JavaScriptCore, which runs the programs, and parts of WebCore",
    versionKey: "webkit",
  },
  {
    ...hosted("tinycc", "LGPL-2.1-or-later", "oven-sh/tinycc"),
    copyright: "Fabrice Bellard and contributors",
    versionKey: "tinycc",
  },
  {
    ...hosted("boringssl", "Apache-2.0 AND ISC AND OpenSSL", "google/boringssl"),
    copyright: "The BoringSSL Authors, The OpenSSL Project, Eric Young",
    versionKey: "boringssl",
  },
  { ...hosted("brotli", "MIT", "google/brotli"), copyright: "2013-2015 the Brotli Authors" },
  {
    ...hosted("libarchive", "BSD-2-Clause AND BSD-3-Clause", "libarchive/libarchive"),
    copyright: "2003-2018 Tim Kientzle and contributors",
    versionKey: "libarchive",
  },
  {
    ...hosted("lol-html", "BSD-3-Clause", "cloudflare/lol-html"),
    copyright: "2019 Cloudflare, Inc., 2019 Ivan Nikulin",
    versionKey: "lolhtml",
  },
  {
    ...hosted("ls-hpack", "MIT", "litespeedtech/ls-hpack"),
    copyright: "2018 LiteSpeed Technologies Inc",
    versionKey: "lshpack",
  },
  { ...hosted("ls-qpack", "MIT", "litespeedtech/ls-qpack"), copyright: "LiteSpeed Technologies Inc" },
  {
    ...hosted("lsquic", "MIT AND BSD-3-Clause", "litespeedtech/lsquic"),
    copyright: "2017-2018 LiteSpeed Technologies Inc, The Chromium Authors",
  },
  {
    ...hosted("mimalloc", "MIT", "microsoft/mimalloc"),
    copyright: "Microsoft Corporation, Daan Leijen",
    versionKey: "mimalloc",
  },
  {
    ...hosted("picohttpparser", "MIT", "h2o/picohttpparser"),
    copyright: "2009-2014 Kazuho Oku, Tokuhiro Matsuno, Daisuke Murase",
    versionKey: "picohttpparser",
  },
  { ...hosted("llhttp", "MIT", "nodejs/llhttp"), copyright: "Fedor Indutny and contributors", versionKey: "llhttp" },
  {
    ...hosted("zstd", "BSD-3-Clause", "facebook/zstd"),
    copyright: "2016-2022 Meta Platforms, Inc. and affiliates",
    versionKey: "zstd",
  },
  { ...hosted("simdutf", "Apache-2.0", "simdutf/simdutf"), copyright: "The simdutf authors" },
  {
    ...hosted("uWebSockets", "Apache-2.0", "uNetworking/uWebSockets"),
    copyright: "Alex Hultman and contributors",
    note: "with uSockets",
    versionKey: "uwebsockets",
  },
  {
    ...hosted("zlib-ng", "Zlib", "zlib-ng/zlib-ng"),
    copyright: "1995-2025 Jean-loup Gailly and Mark Adler",
    versionKey: "zlib",
  },
  {
    ...hosted("c-ares", "MIT", "c-ares/c-ares"),
    copyright: "2007-2023 Daniel Stenberg with many contributors",
    versionKey: "ares",
  },
  {
    ...hosted("icu", "Unicode-3.0 AND ICU", "unicode-org/icu"),
    copyright: "1995-2016 International Business Machines Corporation and others, Unicode, Inc.",
    versionKey: "icu",
  },
  {
    name: "sqlite",
    license: "blessing",
    homepage: "https://sqlite.org",
    copyright: "none: its authors gave it to the public",
    versionKey: "sqlite",
  },
  {
    ...hosted("base64", "BSD-2-Clause", "aklomp/base64"),
    copyright: "2005-2007 Nick Galbreath, 2015-2017 Wojciech Mula, 2016-2017 Matthieu Darbois, 2013-2022 Alfred Klomp",
  },
  {
    ...hosted("libuv", "MIT AND ISC AND BSD-2-Clause AND BSD-3-Clause", "libuv/libuv"),
    copyright: "2015-present libuv project contributors, Joyent, Inc. and other Node contributors",
    versionKey: "uv",
  },
  { ...hosted("libdeflate", "MIT", "ebiggers/libdeflate"), copyright: "Eric Biggers", versionKey: "libdeflate" },
  {
    ...hosted("libjpeg-turbo", "IJG AND BSD-3-Clause AND Zlib", "libjpeg-turbo/libjpeg-turbo"),
    copyright: "The libjpeg-turbo Project. This software is based in part on the work of the Independent JPEG Group",
  },
  { ...hosted("libspng", "BSD-2-Clause", "randy408/libspng"), copyright: "2018-2021 Randy" },
  { ...hosted("libwebp", "BSD-3-Clause", "webmproject/libwebp"), copyright: "Google Inc." },
  { ...hosted("highway", "Apache-2.0", "google/highway"), copyright: "Google LLC" },
  { ...hosted("uucode", "MIT", "jacobsandlund/uucode"), copyright: "Jacob Sandlund" },
  {
    ...hosted("tigerbeetle", "Apache-2.0", "tigerbeetle/tigerbeetle"),
    copyright: "The authors of TigerBeetle",
    note: "parts of its I/O on Windows",
  },
  {
    ...hosted("libc++abi", "Apache-2.0 WITH LLVM-exception", "llvm/llvm-project"),
    copyright: "The authors of LLVM",
    note: "one function",
  },
  {
    ...hosted("esbuild", "MIT", "evanw/esbuild"),
    copyright: "2020 Evan Wallace",
    note: "Bun's transpiler is a port of it",
  },
];

/** Packages that Bun contains in place of modules of Node. All are under the MIT licence. */
export const POLYFILLS = [
  ...["acorn", "acorn-walk", "assert", "browserify-zlib", "buffer", "constants-browserify", "crypto-browserify"],
  ...["domain-browser", "events", "https-browserify", "os-browserify", "path-browserify", "process", "punycode"],
  ...["querystring-es3", "stream-browserify", "stream-http", "string_decoder", "timers-browserify", "tty-browserify"],
  ...["url", "util", "vm-browserify"],
] as const;

/** The version of a part in the Bun that runs this, or null if Bun does not say it. */
export function versionOf({ versionKey }: RuntimePart): string | null {
  return versionKey === undefined ? null : process.versions[versionKey] ?? null;
}

/** The identifiers in an SPDX expression without parentheses. */
export function identifiersIn(expression: string): string[] {
  return expression.split(/ (?:AND|OR|WITH) /);
}
