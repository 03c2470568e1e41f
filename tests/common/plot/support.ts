// Whether markup is well-formed: every element is closed by its own end.

/** Throws an Error that names the first fault. */
export function wellFormed(markup: string): void {
  const open: string[] = [];
  let at = 0;
  for (const match of markup.matchAll(/<(\/?)([A-Za-z][\w-]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/g)) {
    const between = markup.slice(at, match.index);
    if (between.includes("<")) throw new Error(`not a tag: ${between.slice(between.indexOf("<")).slice(0, 60)}`);
    if (/&(?!(?:amp|lt|gt|quot|#39);)/.test(between + match[3])) throw new Error(`a bare &: ${between.slice(0, 60)}`);
    const [, isEnd, name = "", , isVoid] = match;
    if (isEnd === "/") {
      const last = open.pop();
      if (last !== name) throw new Error(`</${name}> ends <${last}>`);
    } else if (isVoid !== "/") open.push(name);
    at = match.index + match[0].length;
  }
  if (markup.slice(at).includes("<")) throw new Error(`not a tag: ${markup.slice(at, at + 60)}`);
  if (open.length > 0) throw new Error(`<${open.join("><")}> is not closed`);
}
