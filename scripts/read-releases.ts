/** What belongs together in a version, such as “Added”; the name is empty for what is in no group. */
export interface Group {
  name: string;
  items: string[];
}

/** A version and what is new in it. */
export interface Release {
  version: string;
  groups: Group[];
}

/**
 * Reads a changelog, newest version first: `## <version>`, in it `### <group>`, and list items whose further lines are indented. Everything else is
 * left out.
 */
export function readReleases(text: string): Release[] {
  const releases: Release[] = [];
  for (const line of text.split(/\r?\n/)) {
    const version = /^## (.+)$/.exec(line)?.[1];
    if (version !== undefined) releases.push({ version: version.trim(), groups: [] });
    const groups = releases.at(-1)?.groups;
    if (!groups) continue;
    const name = /^### (.+)$/.exec(line)?.[1];
    if (name !== undefined) groups.push({ name: name.trim(), items: [] });
    const item = /^[-*] (.+)$/.exec(line)?.[1];
    if (item !== undefined && groups.length === 0) groups.push({ name: '', items: [] });
    const items = groups.at(-1)?.items;
    const more = /^\s+(\S.*)$/.exec(line)?.[1];
    if (item !== undefined) items?.push(item.trim());
    else if (more !== undefined && items && items.length > 0) items.push(`${items.pop() ?? ''} ${more.trim()}`);
  }
  return releases;
}
