// The page, its script and its style: public files, the same for everybody.

import { defineRoute } from "../../core/routes/route.ts";

const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'";

const SCRIPT = "text/javascript; charset=utf-8";

/** Kept by browsers, which ask each time whether it is still current. So nobody uses the script of an older version. */
const CACHE_CONTROL = "no-cache";

/** The script changes the icon when the market is halted. */
const html = (icon: string) =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>mkt</title>
<link rel="icon" type="image/svg+xml" href="/assets/icon-${icon}.svg">
<link rel="stylesheet" href="/assets/dashboard.css">
<script type="module" src="/assets/dashboard.js"></script>
</head>
<body><noscript>This page needs JavaScript.</noscript></body>
</html>
`;

function page(path: string, icon: string, description: string) {
  return defineRoute({
    method: "GET",
    path,
    description,
    publicFile: {
      content: html(icon),
      contentType: "text/html; charset=utf-8",
      cacheControl: CACHE_CONTROL,
      contentSecurityPolicy: POLICY,
    },
  });
}

/** `policy`: of a worker, which has its own instead of its page's. */
function asset(name: string, contentType: string, policy?: string) {
  return defineRoute({
    method: "GET",
    path: `/assets/${name}`,
    description: `The dashboard's ${name}`,
    publicFile: {
      content: () => builtFile(name),
      contentType,
      cacheControl: CACHE_CONTROL,
      ...(policy !== undefined && { contentSecurityPolicy: policy }),
    },
  });
}

/** Throws if there is none of this name: an empty script would be a blank page without an error. */
async function builtFile(name: string): Promise<string> {
  const { builtFiles } = await import("../../web/built-files.ts");
  const text = (await builtFiles())[name];
  if (text === undefined) throw new Error(`there is no built file ${name}`);
  return text;
}

/** A line of prices on a ground of the given colour; or a square, as on a button that stops something. */
function icon(name: string, ground: string, drawing: string) {
  const content = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" ` +
    `fill="${ground}"/>${drawing}</svg>\n`;
  return defineRoute({
    method: "GET",
    path: `/assets/icon-${name}.svg`,
    description: `The icon of the page: ${name}`,
    publicFile: { content, contentType: "image/svg+xml", cacheControl: CACHE_CONTROL },
  });
}

const LINE = '<path d="M5 21l6-8 5 5 5-10 6 7" fill="none" stroke="#fff" stroke-width="3.2" stroke-linejoin="round" ' +
  'stroke-linecap="round"/>';
const SQUARE = '<rect x="9" y="9" width="14" height="14" rx="2" fill="#fff"/>';

export const pageFiles = [
  page("/", "view", "The dashboard"),
  page("/control", "control", "The dashboard for those who operate the market"),
  asset("dashboard.js", SCRIPT),
  asset("dashboard-stream.js", SCRIPT, "default-src 'none'; connect-src 'self'"),
  asset("dashboard.css", "text/css; charset=utf-8"),
  icon("view", "#1a56c4", LINE),
  icon("control", "#96185a", LINE),
  icon("halted", "#b3261e", SQUARE),
];
