import { describe, expect, test } from "bun:test";
import { join, resolve } from "node:path";
import { REPOSITORY, SECURITY_REPORTS } from "../../packaging/identity.ts";
import denoJson from "../../deno.json" with { type: "json" };

const ROOT = resolve(import.meta.dir, "../..");
const read = (path: string) => Bun.file(join(ROOT, path)).text();
const TEMPLATES = ".github/ISSUE_TEMPLATE";

interface Element {
  readonly type: string;
  readonly id?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

const forms = [...new Bun.Glob("*.yml").scanSync(join(ROOT, TEMPLATES))].filter((name) => name !== "config.yml");

describe.each(forms)("the form %s", (name) => {
  test("has a name, a description, and elements of known kinds with labels and unique ids", async () => {
    const form = Bun.YAML.parse(await read(join(TEMPLATES, name))) as Record<string, unknown> & { body: Element[] };
    expect(form).toEqual({
      name: expect.any(String),
      description: expect.any(String),
      labels: [expect.any(String)],
      body: expect.any(Array),
    });
    const questions = form.body.filter(({ type }) => type !== "markdown");
    expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length);
    for (const { type, id, attributes } of questions) {
      expect(["textarea", "input", "dropdown", "checkboxes"]).toContain(type);
      expect(id).toMatch(/^[a-z]+$/);
      expect(attributes["label"]).toEqual(expect.any(String));
      if (type === "dropdown") expect(attributes["options"]).toBeArray();
    }
  });
});

test("vulnerabilities are reported privately, at one address", async () => {
  const { contact_links: links } = Bun.YAML.parse(await read(join(TEMPLATES, "config.yml"))) as {
    contact_links: { url: string }[];
  };
  expect(links.map(({ url }) => url)).toContain(SECURITY_REPORTS);
  expect(links.every(({ url }) => url.startsWith(`${REPOSITORY}/`))).toBe(true);
  expect(await read("SECURITY.md")).toContain(`](${SECURITY_REPORTS})`);
});

test(".editorconfig has the width and the indent of the formatter", async () => {
  const text = await read(".editorconfig");
  expect(text).toContain(`max_line_length = ${denoJson.fmt.lineWidth}\n`);
  expect(text).toMatch(/^\[\*\]$[^[]*^indent_size = 2$/m);
});
