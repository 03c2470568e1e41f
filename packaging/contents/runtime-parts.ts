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

const github = (path: string) => `https://github.com/${path}`;

export const BUN: RuntimePart = {
  name: "bun",
  license: "MIT",
  homepage: github("oven-sh/bun"),
  copyright: "The authors of Bun",
  versionKey: "bun",
};

export const RUNTIME_PARTS: readonly RuntimePart[] = [
  {
    name: "WebKit",
    license: "LGPL-2.0-or-later",
    homepage: github("oven-sh/WebKit"),
    copyright: "Apple Inc. and the authors of WebKit",
    note: "JavaScriptCore, which runs the programs, and parts of WebCore",
    versionKey: "webkit",
  },
  {
    name: "tinycc",
    license: "LGPL-2.1-or-later",
    homepage: github("oven-sh/tinycc"),
    copyright: "Fabrice Bellard and contributors",
    versionKey: "tinycc",
  },
  {
    name: "boringssl",
    license: "Apache-2.0 AND ISC AND OpenSSL",
    homepage: github("google/boringssl"),
    copyright: "The BoringSSL Authors, The OpenSSL Project, Eric Young",
    versionKey: "boringssl",
  },
  { name: "brotli", license: "MIT", homepage: github("google/brotli"), copyright: "2013-2015 the Brotli Authors" },
  {
    name: "libarchive",
    license: "BSD-2-Clause AND BSD-3-Clause",
    homepage: github("libarchive/libarchive"),
    copyright: "2003-2018 Tim Kientzle and contributors",
    versionKey: "libarchive",
  },
  {
    name: "lol-html",
    license: "BSD-3-Clause",
    homepage: github("cloudflare/lol-html"),
    copyright: "2019 Cloudflare, Inc., 2019 Ivan Nikulin",
    versionKey: "lolhtml",
  },
  {
    name: "ls-hpack",
    license: "MIT",
    homepage: github("litespeedtech/ls-hpack"),
    copyright: "2018 LiteSpeed Technologies Inc",
    versionKey: "lshpack",
  },
  {
    name: "ls-qpack",
    license: "MIT",
    homepage: github("litespeedtech/ls-qpack"),
    copyright: "LiteSpeed Technologies Inc",
  },
  {
    name: "lsquic",
    license: "MIT AND BSD-3-Clause",
    homepage: github("litespeedtech/lsquic"),
    copyright: "2017-2018 LiteSpeed Technologies Inc, The Chromium Authors",
  },
  {
    name: "mimalloc",
    license: "MIT",
    homepage: github("microsoft/mimalloc"),
    copyright: "Microsoft Corporation, Daan Leijen",
    versionKey: "mimalloc",
  },
  {
    name: "picohttpparser",
    license: "MIT",
    homepage: github("h2o/picohttpparser"),
    copyright: "2009-2014 Kazuho Oku, Tokuhiro Matsuno, Daisuke Murase",
    versionKey: "picohttpparser",
  },
  {
    name: "llhttp",
    license: "MIT",
    homepage: github("nodejs/llhttp"),
    copyright: "Fedor Indutny and contributors",
    versionKey: "llhttp",
  },
  {
    name: "zstd",
    license: "BSD-3-Clause",
    homepage: github("facebook/zstd"),
    copyright: "2016-2022 Meta Platforms, Inc. and affiliates",
    versionKey: "zstd",
  },
  { name: "simdutf", license: "Apache-2.0", homepage: github("simdutf/simdutf"), copyright: "The simdutf authors" },
  {
    name: "uWebSockets",
    license: "Apache-2.0",
    homepage: github("uNetworking/uWebSockets"),
    copyright: "Alex Hultman and contributors",
    note: "with uSockets",
    versionKey: "uwebsockets",
  },
  {
    name: "zlib-ng",
    license: "Zlib",
    homepage: github("zlib-ng/zlib-ng"),
    copyright: "1995-2025 Jean-loup Gailly and Mark Adler",
    versionKey: "zlib",
  },
  {
    name: "c-ares",
    license: "MIT",
    homepage: github("c-ares/c-ares"),
    copyright: "2007-2023 Daniel Stenberg with many contributors",
    versionKey: "ares",
  },
  {
    name: "icu",
    license: "Unicode-3.0 AND ICU",
    homepage: github("unicode-org/icu"),
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
    name: "base64",
    license: "BSD-2-Clause",
    homepage: github("aklomp/base64"),
    copyright: "2005-2007 Nick Galbreath, 2015-2017 Wojciech Mula, 2016-2017 Matthieu Darbois, 2013-2022 Alfred Klomp",
  },
  {
    name: "libuv",
    license: "MIT AND ISC AND BSD-2-Clause AND BSD-3-Clause",
    homepage: github("libuv/libuv"),
    copyright: "2015-present libuv project contributors, Joyent, Inc. and other Node contributors",
    versionKey: "uv",
  },
  {
    name: "libdeflate",
    license: "MIT",
    homepage: github("ebiggers/libdeflate"),
    copyright: "Eric Biggers",
    versionKey: "libdeflate",
  },
  {
    name: "libjpeg-turbo",
    license: "IJG AND BSD-3-Clause AND Zlib",
    homepage: github("libjpeg-turbo/libjpeg-turbo"),
    copyright: "The libjpeg-turbo Project. This software is based in part on the work of the Independent JPEG Group",
  },
  { name: "libspng", license: "BSD-2-Clause", homepage: github("randy408/libspng"), copyright: "2018-2021 Randy" },
  {
    name: "libwebp",
    license: "BSD-3-Clause",
    homepage: github("webmproject/libwebp"),
    copyright: "Google Inc.",
  },
  { name: "highway", license: "Apache-2.0", homepage: github("google/highway"), copyright: "Google LLC" },
  { name: "uucode", license: "MIT", homepage: github("jacobsandlund/uucode"), copyright: "Jacob Sandlund" },
  {
    name: "tigerbeetle",
    license: "Apache-2.0",
    homepage: github("tigerbeetle/tigerbeetle"),
    copyright: "The authors of TigerBeetle",
    note: "parts of its I/O on Windows",
  },
  {
    name: "libc++abi",
    license: "Apache-2.0 WITH LLVM-exception",
    homepage: github("llvm/llvm-project"),
    copyright: "The authors of LLVM",
    note: "one function",
  },
  {
    name: "esbuild",
    license: "MIT",
    homepage: github("evanw/esbuild"),
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
