/**
 * The path to go to after signing in, or `undefined` when it leads off this site. Compares origins, because a host alone lets
 * `javascript:` and other schemes through.
 */
export function safeContinuePath(requested: string | null | undefined, origin: string = location.origin): string | undefined {
  // Browsers drop tabs and newlines and read \ as /, so such a path says one thing and does another.
  if (!requested || /[\s\\]|[\u0000-\u001f]/.test(requested)) return undefined;
  // `https:evil` is a path to the browser here, and another host elsewhere: one with a scheme must name our origin in full.
  if (/^[a-z][a-z0-9+.-]*:/i.test(requested) && requested !== origin && !requested.startsWith(`${origin}/`)) return undefined;
  let url: URL;
  try {
    url = new URL(requested, origin);
  } catch {
    return undefined;
  }
  if (url.origin !== origin || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined;
  const path = url.pathname + url.search + url.hash;
  // `/.//evil` keeps our origin as a URL, and is another host as a path.
  return path.startsWith('//') ? undefined : path;
}
