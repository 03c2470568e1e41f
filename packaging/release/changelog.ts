// CHANGELOG.md, in the form of Keep a Changelog: a section for each version, which begins with `## [1.2.3] - 2026-01-31`.

export interface ChangelogSection {
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly text: string;
}

/** The section of a version, or null if there is none, or it has no date or no text. */
export function sectionOf(changelog: string, version: string): ChangelogSection | null {
  for (const section of changelog.split(/^(?=## )/m)) {
    const [, name, date] = /^## \[([^\]]+)\] - (\d{4}-\d{2}-\d{2})$/m.exec(section) ?? [];
    const text = section.slice(section.indexOf("\n") + 1).trim();
    if (name === version && date !== undefined && text !== "") return { date, text };
  }
  return null;
}
