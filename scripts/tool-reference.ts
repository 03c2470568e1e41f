// Writes the reference of the tools in docs/tools.md, and their numbers in README.md, from the tools' declarations and the
// examples in tool-examples.ts. tests/documents checks that both are current.
//
//   bun scripts/tool-reference.ts

import { z } from "zod";
import { aligned } from "../bench/table.ts";
import { publishedOutput } from "../core/dispatch/tool-schemas.ts";
import type { Pack } from "../core/packs/pack.ts";
import type { Tool } from "../core/tools/tool.ts";
import { PACKS } from "../plugins/index.ts";
import { withSection } from "./document-section.ts";
import { fieldLines, fieldNames, type JsonSchema, markdownText } from "./schema-words.ts";
import { TOOL_EXAMPLES } from "./tool-examples.ts";

const DOCUMENT = new URL("../docs/tools.md", import.meta.url).pathname;
const README = new URL("../README.md", import.meta.url).pathname;

/** Fields that docs/tools.md describes once, by the heading there. A tool that has the first of them has them all. */
const SHARED_FIELDS = {
  changes: ["idempotencyKey", "reason", "error", "message", "userId"],
  pages: ["cursor", "hasMore", "count", "total", "note"],
  events: ["latestSequence", "missed", "epoch", "waited", "filters"],
  "the-age-of-a-read": ["stale", "asOf", "incomplete"],
} as const;
const NAMES_OF_SHARED: Readonly<Record<string, string>> = {
  changes: "change",
  pages: "page",
  events: "list of events",
  "the-age-of-a-read": "read that may be old",
};
/** Statuses that every change has. */
const COMMON_STATUSES = ["success", "rejected", "timeout", "not_connected", "error"];

function reference(): string {
  const packs = PACKS.filter(({ tools }) => tools.length > 0);
  return [contents(packs), ...packs.map(packSection)].join("\n\n");
}

function contents(packs: readonly Pack[]): string {
  const rows = packs.flatMap((pack) =>
    pack.tools.map((tool) => [
      `[\`${tool.name}\`](#${tool.name})`,
      `[${pack.name}](#the-pack-${pack.name})`,
      tool.requires?.connection === undefined ? "" : "C",
      tool.annotations.readOnlyHint ? "" : "W",
      tool.title,
    ])
  );
  return `## Contents\n\n${aligned(["tool", "pack", "needs", "changes", "what it does"], rows)}`;
}

function packSection(pack: Pack): string {
  const needs = pack.needs === undefined ? "" : ` Not offered by default: ${pack.needs.reason}.`;
  const intro = `## The pack ${pack.name}\n\n${markdownText(pack.description)}.${needs}`;
  return [intro, ...pack.tools.map(toolSection)].join("\n\n");
}

function toolSection(tool: Tool): string {
  const { name, title, description } = tool;
  const example = `\`\`\`sh\nmkt call ${name}${exampleArguments(name)}\n\`\`\``;
  return [
    `### \`${name}\``,
    `**${title}.** ${markdownText(description)}`,
    effects(tool),
    argumentLines(tool),
    resultLines(tool),
    errorLine(tool),
    example,
  ].join("\n\n");
}

/** What the call may change, what it needs, and what guards it. */
function effects({ annotations, requires, ...tool }: Tool): string {
  const { readOnlyHint, destructiveHint, idempotentHint } = annotations;
  const sentences = [
    readOnlyHint ? "Changes nothing." : "Changes something.",
    destructiveHint && "May cancel, remove or stop something.",
    !readOnlyHint && idempotentHint && "A repeat has no further effect.",
    requires?.connection === "read" && "Needs `mkt_connect_pubsub`.",
    requires?.connection === "session" && "Needs that `mkt_connect_pubsub` has been called.",
    requires?.connection === "write" && "Needs `mkt_connect_pubsub`, and a connection that is up now.",
    requires?.permissions !== undefined && `Needs ${requires.permissions.map((each) => `\`${each}\``).join(" and ")}.`,
    tool.question !== undefined && "With `MKT_CONFIRM=elicit` a person must agree first.",
    tool.allowedInReadOnly && "Offered in read-only mode.",
    tool.allowedWhenFrozen && "Allowed while mkt is frozen.",
    tool.view !== undefined && "Chat hosts show the result as a view.",
  ];
  return sentences.filter((sentence) => typeof sentence === "string").join(" ");
}

function argumentLines({ input }: Tool): string {
  const schema = z.toJSONSchema(input, { io: "input", unrepresentable: "any" }) as JsonSchema;
  const lines = fieldLines(schema);
  return lines.length === 0 ? "No arguments." : `Arguments:\n\n${lines.join("\n")}`;
}

/** The names of the result's fields, each with its type unless that is text, and its unit. */
function resultLines(tool: Tool): string {
  const schema = publishedOutput(tool) as JsonSchema;
  const names = Object.keys(schema["properties"] ?? {});
  const shared = Object.entries(SHARED_FIELDS).filter(([, [first]]) => names.includes(first));
  const hidden = new Set<string>(shared.flatMap(([, fields]) => fields));
  const statuses = specialStatuses(schema);
  if (shared.some(([name]) => name === "changes")) hidden.add("status");
  const links = shared.map(([anchor]) => `the fields of a [${NAMES_OF_SHARED[anchor]}](#${anchor})`);
  const more = statuses.length === 0 ? "" : ` Its \`status\` may also be ${statuses.join(" or ")}.`;
  return `Result: ${[...fieldNames(schema, hidden), ...links].join(", ")}.${more}`;
}

function specialStatuses(schema: JsonSchema): string[] {
  const { status } = (schema["properties"] ?? {}) as Record<string, { readonly enum?: readonly string[] }>;
  if (!COMMON_STATUSES.every((name) => status?.enum?.includes(name))) return [];
  return (status?.enum ?? []).filter((name) => !COMMON_STATUSES.includes(name)).map((name) => `\`${name}\``);
}

/** What follows from the requirements. Handlers may fail with others. */
function errorLine({ annotations, requires, ...tool }: Tool): string {
  const codes = [
    Object.keys(tool.input.shape).length > 0 && "invalid_input",
    requires?.connection !== undefined && "not_connected",
    requires?.permissions !== undefined && "forbidden",
    !annotations.readOnlyHint && !tool.allowedWhenFrozen && !tool.allowedInReadOnly && "frozen",
  ].filter((code) => typeof code === "string");
  const own = codes.map((code) => `\`${code}\``).join(", ");
  return codes.length === 0 ? "Errors: [those of every tool](#errors)." : `Errors: ${own}, and [others](#errors).`;
}

function exampleArguments(name: string): string {
  const example = TOOL_EXAMPLES[name] ?? {};
  return Object.keys(example).length === 0 ? "" : ` '${JSON.stringify(example)}'`;
}

/** docs/tools.md with the reference that the declarations give. */
export function withToolReference(document: string): string {
  return withSection(document, "tools", reference());
}

/** The README with the number of tools of each pack, and of those that the demo offers. */
export function withToolCounts(readme: string): string {
  const inDemo = PACKS.filter(({ needs }) => needs?.setting !== "stressTestSecret").flatMap(({ tools }) => tools);
  const packs = PACKS.filter(({ tools }) => tools.length > 0).map(({ name, tools, description }) => [
    `[${name}](docs/tools.md#the-pack-${name})`,
    String(tools.length),
    markdownText(description),
  ]);
  const counted = readme.replace(/\d+ tools,/, `${inDemo.length} tools,`);
  return withSection(counted, "packs", aligned(["pack", "tools", "what they do"], packs));
}

if (import.meta.main) {
  await Bun.write(DOCUMENT, withToolReference(await Bun.file(DOCUMENT).text()));
  await Bun.write(README, withToolCounts(await Bun.file(README).text()));
}
