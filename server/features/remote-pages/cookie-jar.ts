import { readCookies, scriptCookies } from './headers.ts';

const MAX_COOKIES = 60;
const MAX_COOKIE_LENGTH = 4096;

interface Cookie {
  name: string;
  value: string;
  path: string;
}

/** The folder of a request's path, which a cookie without a path of its own is for (RFC 6265, 5.1.4). */
function defaultPath(url: string): string {
  const [path = '/'] = url.split(/[?#]/);
  return path.slice(0, Math.max(1, path.lastIndexOf('/')));
}

function isFor(path: string, url: string): boolean {
  const [asked = '/'] = url.split(/[?#]/);
  return asked === path || (asked.startsWith(path) && (path.endsWith('/') || asked[path.length] === '/'));
}

const isOver = (attributes: readonly string[]): boolean =>
  attributes.some((part) => /^max-age=(?:0|-)/i.test(part) || Date.parse(/^expires=(.*)$/i.exec(part)?.[1] ?? '') < Date.now());

/**
 * The cookies that a device has set in one session. They stay on the server: what a browser sends may come from another page below the same domain.
 * Those that scripts may read are shown to the browser as well.
 */
export class CookieJar {
  readonly #cookies = new Map<string, Cookie>();
  readonly #takesScripts: boolean;

  /** `takesScripts`: no page of another host can set cookies for this one, so that others than the device's own are its scripts'. */
  constructor({ takesScripts }: { takesScripts: boolean }) {
    this.#takesScripts = takesScripts;
  }

  /** Keeps what an answer sets; gives the lines that the browser gets. */
  keep(lines: readonly string[], url: string): string[] {
    return lines.flatMap((line) => {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
      const [[name, value] = ['', '']] = readCookies(pair);
      if (name === '' || /^canopy_/i.test(name) || line.length > MAX_COOKIE_LENGTH || /[\r\n]/.test(line)) return [];
      const path = attributes.map((part) => /^path=(\/.*)$/i.exec(part)?.[1]).findLast((found) => found !== undefined) ?? defaultPath(url);
      const key = `${path} ${name}`;
      if (isOver(attributes)) this.#cookies.delete(key);
      else if (this.#cookies.size < MAX_COOKIES || this.#cookies.has(key)) this.#cookies.set(key, { name, value, path });
      const isHidden = attributes.some((part) => /^httponly$/i.test(part));
      // No `Secure` and `SameSite`: the page may be shown over http, and only itself reads it.
      const [shown] = isHidden ? [] : scriptCookies(pair);
      return shown ? [`${shown.join('=')}; Path=${path}${isOver(attributes) ? '; Max-Age=0' : ''}`] : [];
    });
  }

  /** The header for a request to the device. */
  headerFor(url: string, fromBrowser: string | undefined): string {
    const own = [...this.#cookies.values()].filter(({ path }) => isFor(path, url)).toSorted((a, b) => b.path.length - a.path.length);
    const names = new Set([...this.#cookies.values()].map(({ name }) => name));
    const others = this.#takesScripts ? scriptCookies(fromBrowser).filter(([name]) => !names.has(name)) : [];
    return [...own.map(({ name, value }) => [name, value]), ...others].map((pair) => pair.join('=')).join('; ');
  }
}
