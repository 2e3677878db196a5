/** A version and what is new in it, newest first. */
export interface Release {
  version: string;
  items: string[];
}

/** Reads a changelog: `## <version>` with list items below it, whose further lines are indented. Everything else is left out. */
export function readReleases(text: string): Release[] {
  const releases: Release[] = [];
  for (const line of text.split(/\r?\n/)) {
    const version = /^## (.+)$/.exec(line)?.[1];
    if (version !== undefined) {
      releases.push({ version: version.trim(), items: [] });
      continue;
    }
    const items = releases.at(-1)?.items;
    if (!items) continue;
    const item = /^[-*] (.+)$/.exec(line)?.[1];
    const more = /^\s+(\S.*)$/.exec(line)?.[1];
    if (item !== undefined) items.push(item.trim());
    else if (more !== undefined && items.length > 0) items.push(`${items.pop() ?? ''} ${more.trim()}`);
  }
  return releases;
}
