import type { IncomingHttpHeaders } from 'node:http';

const PAGE_COOKIE = 'canopy_remote';

/** The cookie by which the browser shows that it came with a ticket. Over https no other host can set one of its name. */
export const pageCookie = (isSecure: boolean): string => (isSecure ? `__Host-${PAGE_COOKIE}` : PAGE_COOKIE);

const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];
/** What the device must not say about the address at which it is shown: it is shown there only for now. */
const REMOVED_ANSWERS = new Set([
  ...HOP_BY_HOP,
  'strict-transport-security',
  'clear-site-data',
  'service-worker-allowed',
  'alt-svc',
  'refresh',
  'link',
  'speculation-rules',
  'set-login',
  'sourcemap',
  'x-sourcemap',
  'content-security-policy-report-only',
  'public-key-pins',
  'report-to',
  'reporting-endpoints',
  'nel',
  'referrer-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'origin-agent-cluster',
]);
/** What only this server and its proxies say of the browser. */
const REMOVED_REQUESTS = new Set([...HOP_BY_HOP, 'host', 'cookie', 'forwarded', 'x-real-ip', 'x-xsrf-token', 'x-requested-with-console']);

/** Where a page is shown, and where it comes from. */
export interface Places {
  /** `https://<label>.remote.example.org` */
  shown: string;
  /** `http://192.168.1.1` */
  device: string;
  /** The page is shown over https. */
  isSecure: boolean;
}

type Lines = Record<string, string | string[]>;

/** Names that are never the device's: ours, and those that browsers bind to a host. */
const FOREIGN_NAME = /^(?:canopy_|__host-|__secure-|xsrf-token$)/i;

/** The cookies of a header, in their order; of one name there may be several, from other paths and domains. */
export function readCookies(header: string | undefined): [name: string, value: string][] {
  return (header ?? '').split(';').flatMap((part) => {
    const at = part.indexOf('=');
    return at < 0 ? [] : [[part.slice(0, at).trim(), part.slice(at + 1).trim()]];
  });
}

/** The cookies that scripts of the page have set. */
export const scriptCookies = (header: string | undefined): [name: string, value: string][] =>
  readCookies(header).filter(([name]) => !FOREIGN_NAME.test(name));

function moved(value: string, from: string, to: string): string {
  return value === from || value.startsWith(`${from}/`) ? to + value.slice(from.length) : value;
}

/** What a browser sent, as the device gets it: its own host, its own origin, its own cookies, nothing of the console's. */
export function requestHeaders(headers: IncomingHttpHeaders, { shown, device }: Places, cookies: string): Lines {
  const sent: Lines = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || REMOVED_REQUESTS.has(name) || name.startsWith('x-forwarded-')) continue;
    sent[name] = value;
  }
  sent['host'] = new URL(device).host;
  if (typeof headers.origin === 'string') sent['origin'] = moved(headers.origin, shown, device);
  if (typeof headers.referer === 'string') sent['referer'] = moved(headers.referer, shown, device);
  // A token of ours is never for a device; its own, and what a person typed into its prompt, are.
  if (/^bearer canopy_/i.test(headers.authorization ?? '')) delete sent['authorization'];
  if (cookies !== '') sent['cookie'] = cookies;
  return sent;
}

/** Where a redirect leads: a path of the same page, or the address of another place, which is not followed. */
export function shownLocation(
  location: string,
  requestPath: string,
  { device }: Pick<Places, 'device'>,
): { path: string } | { elsewhere: string } {
  const url = URL.parse(location, `${device}${requestPath}`);
  if (!url) return { elsewhere: location.slice(0, 200) };
  const own = new URL(device);
  if (url.origin !== own.origin) return { elsewhere: url.href.slice(0, 200) };
  return { path: `${url.pathname}${url.search}${url.hash}` };
}

/** What the device answered, as the browser gets it. `location` and `set-cookie` are the caller's. */
export function answerHeaders(headers: IncomingHttpHeaders, { shown, device }: Places): Lines {
  const given: Lines = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || REMOVED_ANSWERS.has(name) || name === 'location' || name === 'set-cookie') continue;
    given[name] = value;
  }
  const policy = headers['content-security-policy'];
  const ours = "frame-ancestors 'none'";
  const theirs = typeof policy === 'string' ? policy.replaceAll(device, shown).replace(/upgrade-insecure-requests;?/g, '') : undefined;
  given['content-security-policy'] = theirs === undefined || theirs === '' ? ours : [theirs, ours];
  // With no-referrer browsers send `Origin: null` on forms, which devices take for a forgery.
  given['referrer-policy'] = 'same-origin';
  given['cross-origin-opener-policy'] = 'same-origin';
  given['cross-origin-resource-policy'] = 'same-origin';
  given['origin-agent-cluster'] = '?1';
  return given;
}
