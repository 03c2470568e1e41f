// The folder of the arena as an environment of OpenEnv, which its command line pushes to a hub: a manifest, an image, and a
// page that says what it is. The image is mkt's own (deploy/Dockerfile).

import type { ArchivedFile } from "../archives.ts";
import { PROGRAM_NAME } from "../identity.ts";

const PORT = 8000;

/** `version`: of mkt. */
export function environmentFolder(version: string): ArchivedFile[] {
  const files = { "openenv.yaml": MANIFEST, Dockerfile: dockerfile(version), "README.md": readme(version) };
  return Object.entries(files).map(([path, text]) => {
    return { path, content: new TextEncoder().encode(text), executable: false };
  });
}

const MANIFEST = `spec_version: 1
name: mkt-arena
type: space
runtime: docker
app: Dockerfile
port: ${PORT}
`;

function dockerfile(version: string): string {
  return `# The arena of mkt for trainers, on port ${PORT}. Build mkt's image first:
#   docker build -f deploy/Dockerfile -t mkt:${version} .
ARG MKT_IMAGE=mkt:${version}
FROM \${MKT_IMAGE}
EXPOSE ${PORT}
HEALTHCHECK --interval=5s --timeout=3s --retries=10 CMD ["mkt", "health", "http://127.0.0.1:${PORT}"]
CMD ["arena", "serve", "--openenv", "--host", "0.0.0.0", "--port", "${PORT}"]
`;
}

function readme(version: string): string {
  return `---
title: mkt arena
sdk: docker
app_port: ${PORT}
tags: [openenv]
---

# The arena of mkt ${version}

Exams for trading agents in a simulated electricity market, by OpenEnv. An episode is one scenario and one seed; its
rewards add up to its score. \`POST /reset\` with \`{"seed": 7, "scenario": "evening-peak"}\` begins one, and
\`GET /schema\` has the actions.

    docker build -t mkt-arena . && docker run -p ${PORT}:${PORT} mkt-arena

Everything that runs here is in ${PROGRAM_NAME} itself: nothing is downloaded when it starts.
`;
}
