// The frame of a page that needs nothing else: its head with its style, and its parts.

import { html, type Markup, raw } from "./markup.ts";
import { pageStyle } from "./page-style.ts";

export function wholePage(title: string, body: Markup): string {
  const style = pageStyle();
  const hash = new Bun.CryptoHasher("sha256").update(style).digest("base64");
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  const page = html`
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="generator" content="mkt" />
        <title>${title}</title>
        <style>${raw(style)}</style>
      </head>
      <body>
    ${body}
      </body>
    </html>
  `;
  return `<!DOCTYPE html>\n${page.text}`;
}

export function sectionOf(id: string, title: string, content: Markup): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>
${content}</section>`;
}
