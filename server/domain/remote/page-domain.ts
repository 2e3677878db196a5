import type { RemoteConfig } from '../../remote-config.ts';

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

const siteOf = (host: string): string => host.split('.').slice(-2).join('.');

/** Whether pages below the domain could set cookies for the console: below its own host always, over http also below a neighbour's. */
function reachesConsole(domain: string, { hostname, protocol }: URL): boolean {
  const host = domain.replace(/:\d+$/, '');
  if (hostname === host || hostname.endsWith(`.${host}`)) return true;
  return protocol === 'http:' && siteOf(hostname) === siteOf(host);
}

/**
 * The domain below which every session with a web page has a host of its own, with its port where it needs one: `REMOTE_DOMAIN`, or `localhost` for a
 * server at a loopback address, whose subdomains browsers keep apart. Undefined where pages of devices would share storage or cookies with each
 * other or with the console: there are none then.
 */
export function pageDomain({ pagesDomain }: Pick<RemoteConfig, 'pagesDomain'>, publicUrl: string, port: number): string | undefined {
  const url = new URL(publicUrl);
  if (pagesDomain !== undefined) return reachesConsole(pagesDomain, url) ? undefined : pagesDomain;
  return LOOPBACK.has(url.hostname) ? `localhost:${port}` : undefined;
}
