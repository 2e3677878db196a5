/** Addresses of a company's page that lead to the one of a list there. */
const ALIASES: Readonly<Record<string, string>> = { 'resources/credits': 'resources', reports: 'reports/single' };

/** The list that an address below a company's leads to, of those that the user sees: the one it is another name of, else the first. */
export function placeOf(asked: string, paths: readonly string[]): string | undefined {
  return paths.find((path) => path === ALIASES[asked]) ?? paths[0];
}

/** Parts of a company's page that share the tab of another one, by the first word of their address. */
const GROUPS: Readonly<Record<string, string>> = {
  metrics: 'info',
  tags: 'devices',
  sites: 'devices',
  sims: 'devices',
  'vpn-hubs': 'devices',
  'alert-configurations': 'alerts',
  reports: 'files',
  'data-history': 'resources',
};

/** The tab that a part of a company's page is found in. */
export function groupOf(path: string): string {
  const top = path.split('/')[0] ?? path;
  return GROUPS[top] ?? top;
}

/** The parts of one tab. The data history has two addresses and is named once. */
export function partsOf<Part extends { path: string }>(parts: readonly Part[], group: string): Part[] {
  const own = parts.filter(({ path }) => groupOf(path) === group);
  return own.filter(({ path }) => path !== 'data-history' || !own.some((other) => other.path === 'resources/data-history'));
}
