// A generated section of a Markdown document: the text between `<!-- NAME: written by ... -->` and `<!-- /NAME -->`.

/** The document with new `content` in its section. Throws if the section is missing. */
export function withSection(document: string, name: string, content: string): string {
  const section = new RegExp(`(<!-- ${name}: .*? -->\n)[^]*(<!-- /${name} -->)`);
  if (!section.test(document)) throw new Error(`the document has no section named ${name}`);
  return document.replace(section, (_, begin: string, end: string) => `${begin}\n${content.trimEnd()}\n\n${end}`);
}
