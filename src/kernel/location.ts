/**
 * The path to go to after signing in, or `undefined` when the wish leads off this site. Compares origins, because a host alone lets
 * `javascript:` and other schemes through.
 */
export function safeContinuePath(wish: string | null | undefined, origin: string = location.origin): string | undefined {
  // Browsers drop tabs and newlines and read \ as /, so such a wish says one thing and does another.
  if (!wish || /[\s\\]|[\u0000-\u001f]/.test(wish)) return undefined;
  // `https:evil` is a path to the browser here, and another host elsewhere: a wish with a scheme must name our origin in full.
  if (/^[a-z][a-z0-9+.-]*:/i.test(wish) && wish !== origin && !wish.startsWith(`${origin}/`)) return undefined;
  let url: URL;
  try {
    url = new URL(wish, origin);
  } catch {
    return undefined;
  }
  if (url.origin !== origin || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined;
  const path = url.pathname + url.search + url.hash;
  // `/.//evil` keeps our origin as a URL, and is another host as a path.
  return path.startsWith('//') ? undefined : path;
}
