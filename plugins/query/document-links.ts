// The links of a document for a reader who has no files: a link to another document becomes one to its resource. If there is
// no such resource, only the text of the link remains.

const RESOURCES: Readonly<Record<string, string>> = {
  "backend-protocol.md": "mkt://protocol",
  "backend-protocol.schema.json": "mkt://protocol-schema",
  "market-rules.md": "mkt://market-rules",
};

const LINK = /!?\[([^\]]*)\]\(([^)\s]+)\)/g;
/** Within the document, or absolute. */
const LEADS_SOMEWHERE = /^(#|[a-z]+:)/;

export function forReader(markdown: string): string {
  return markdown.replace(LINK, (link, text: string, target: string) => {
    if (LEADS_SOMEWHERE.test(target)) return link;
    const [file = "", anchor] = target.split("#");
    if (!Object.hasOwn(RESOURCES, file)) return text;
    return `[${text}](${RESOURCES[file]}${anchor === undefined ? "" : `#${anchor}`})`;
  });
}
