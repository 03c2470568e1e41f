// The page, its script and its style: public files, the same for everybody.

import { defineRoute } from "../../core/routes/route.ts";
import { builtFiles } from "../../web/built-files.ts";

const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'";

const HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>mkt</title>
<link rel="stylesheet" href="/assets/dashboard.css">
<script type="module" src="/assets/dashboard.js"></script>
</head>
<body><noscript>This page needs JavaScript.</noscript></body>
</html>
`;

function page(path: string, description: string) {
  return defineRoute({
    method: "GET",
    path,
    description,
    publicFile: { content: HTML, contentType: "text/html; charset=utf-8", contentSecurityPolicy: POLICY },
  });
}

function asset(name: string, contentType: string) {
  return defineRoute({
    method: "GET",
    path: `/assets/${name}`,
    description: `The dashboard's ${name}`,
    publicFile: { content: async () => (await builtFiles())[name] ?? "", contentType },
  });
}

export const pageFiles = [
  page("/", "The dashboard"),
  page("/control", "The dashboard for those who operate the market"),
  asset("dashboard.js", "text/javascript; charset=utf-8"),
  asset("dashboard.css", "text/css; charset=utf-8"),
];
