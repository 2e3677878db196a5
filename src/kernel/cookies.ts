const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** The value of a readable cookie, or `undefined`. */
export function readCookie(name: string): string | undefined {
  for (const part of document.cookie.split('; ')) {
    const cut = part.indexOf('=');
    if (part.slice(0, cut) !== name) continue;
    try {
      return decodeURIComponent(part.slice(cut + 1));
    } catch {
      return undefined;
    }
  }
  return undefined;
}

/** Keeps a preference for a year on the whole site; `undefined` removes it. */
export function writeCookie(name: string, value: string | undefined): void {
  const life = value === undefined ? 'Max-Age=0' : `Max-Age=${YEAR_SECONDS}`;
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${name}=${encodeURIComponent(value ?? '')}; Path=/; SameSite=Lax; ${life}${secure}`;
}
