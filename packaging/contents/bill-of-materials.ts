// The bill of materials of the executables: a CycloneDX document (ecma-424, version 1.6) of the packages that the bundler put
// in, of Bun, and of what Bun contains as far as it says so.
//
// The same contents give the same bytes: the serial number is derived from them, and there is no time in it.

import { HOMEPAGE, LICENSE, NPM_PACKAGE, PROGRAM_NAME, REPOSITORY, VERSION } from "../identity.ts";
import type { BundledPackage } from "./packages.ts";
import { BUN, POLYFILLS, RUNTIME_PARTS, type RuntimePart, versionOf } from "./runtime-parts.ts";

export interface ReleasedFile {
  readonly name: string;
  /** In hexadecimal digits. */
  readonly sha256: string;
}

interface Component {
  readonly type: "application" | "library" | "framework" | "file";
  readonly "bom-ref": string;
  readonly name: string;
  readonly version?: string;
  readonly components?: readonly Component[];
  readonly [field: string]: unknown;
}

interface BillOptions {
  readonly packages: readonly BundledPackage[];
  /** The SHA-512 of a package's file in the registry, in hexadecimal digits, by `name@version`: integrityOf. */
  readonly integrity: ReadonlyMap<string, string>;
  /** The executables of which the bill is true. */
  readonly executables: readonly ReleasedFile[];
  readonly version?: string;
}

/** The document as a JSON value. */
export function billOfMaterials({ packages, integrity, executables, version = VERSION }: BillOptions) {
  const root = `pkg:npm/${purlName(NPM_PACKAGE)}@${version}`;
  const components = [
    ...packages.map((each) => packageComponent(each, integrity.get(`${each.name}@${each.version}`))),
    bunComponent(),
  ];
  const content = {
    metadata: {
      lifecycles: [{ phase: "build" }],
      component: {
        type: "application",
        "bom-ref": root,
        name: PROGRAM_NAME,
        version,
        purl: root,
        ...licenseField(LICENSE),
        externalReferences: [{ type: "website", url: HOMEPAGE }, { type: "vcs", url: REPOSITORY }],
        components: executables.map(fileComponent),
      },
    },
    components,
    dependencies: [{ ref: root, dependsOn: components.map((component) => component["bom-ref"]) }],
    // Bun does not say everything that it contains.
    compositions: [
      { aggregate: "complete", dependencies: [root] },
      { aggregate: "incomplete", assemblies: [bunReference()] },
    ],
  };
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: serialNumber(JSON.stringify(content)),
    version: 1,
    ...content,
  };
}

/** A UUID of version 8 (RFC 9562) made of the content's hash. */
function serialNumber(content: string): string {
  const digits = new Bun.CryptoHasher("sha256").update(content).digest("hex");
  const variant = (8 + Number.parseInt(digits.charAt(16), 16) % 4).toString(16);
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `8${digits.slice(13, 16)}`];
  return `urn:uuid:${[...parts, `${variant}${digits.slice(17, 20)}`, digits.slice(20, 32)].join("-")}`;
}

function packageComponent(each: BundledPackage, sha512: string | undefined): Component {
  const purl = `pkg:npm/${purlName(each.name)}@${each.version}`;
  return {
    type: "library",
    "bom-ref": purl,
    name: each.name,
    version: each.version,
    ...(each.description === "" ? {} : { description: each.description }),
    ...(sha512 === undefined ? {} : { hashes: [{ alg: "SHA-512", content: sha512 }] }),
    ...licenseField(each.license),
    purl,
    ...(each.inside === null ? {} : { properties: [{ name: "mkt:bundled-in", value: each.inside }] }),
    ...(each.homepage === null ? {} : { externalReferences: [{ type: "website", url: each.homepage }] }),
  };
}

/** The scope's @ is percent-encoded in a package URL. */
function purlName(name: string): string {
  return name.replace("@", "%40");
}

function bunReference(): string {
  return `pkg:github/oven-sh/bun@bun-v${versionOf(BUN)}`;
}

function bunComponent(): Component {
  return {
    type: "framework",
    "bom-ref": bunReference(),
    name: BUN.name,
    version: versionOf(BUN) ?? "",
    description: "The runtime, which runs the program and contains the libraries below",
    ...licenseField(BUN.license),
    purl: bunReference(),
    externalReferences: [{ type: "vcs", url: BUN.homepage }],
    components: [...RUNTIME_PARTS.map(partComponent), ...POLYFILLS.map(polyfillComponent)],
  };
}

function partComponent(part: RuntimePart): Component {
  const version = versionOf(part);
  const [, path] = /^https:\/\/github\.com\/(.+)$/.exec(part.homepage) ?? [];
  return {
    type: "library",
    "bom-ref": `bun/${part.name}`,
    name: part.name,
    ...(version === null ? {} : { version }),
    ...(part.note === undefined ? {} : { description: part.note }),
    ...licenseField(part.license),
    copyright: part.copyright,
    ...(path === undefined || version === null ? {} : { purl: `pkg:github/${path.toLowerCase()}@${version}` }),
    externalReferences: [{ type: "website", url: part.homepage }],
  };
}

function polyfillComponent(name: string): Component {
  return {
    type: "library",
    "bom-ref": `bun/replacement/${name}`,
    name,
    description: "In place of a module of Node",
    ...licenseField("MIT"),
  };
}

function fileComponent({ name, sha256 }: ReleasedFile): Component {
  return { type: "file", "bom-ref": `file/${name}`, name, hashes: [{ alg: "SHA-256", content: sha256 }] };
}

/** One licence has a field of its own; several are an expression. */
function licenseField(license: string) {
  return { licenses: [license.includes(" ") ? { expression: license } : { license: { id: license } }] };
}
