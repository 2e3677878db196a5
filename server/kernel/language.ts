import type { IncomingHttpHeaders } from 'node:http';

/** Languages that everything is there in. */
export const LANGUAGES = ['en', 'nb', 'ja', 'uk'] as const;
export type Language = (typeof LANGUAGES)[number];
/** Norwegian as browsers name it: `no`, `nn-NO`. */
const ALIASES: Record<string, string> = { no: 'nb', nn: 'nb' };
// `de`, `pt-BR`
const ADDED = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}$/;
/** The value of a cookie, empty without it. */
export function cookieValue(cookies: string, name: string): string {
  const found = cookies.split(';').find((part) => part.trim().startsWith(`${name}=`));
  return found?.slice(found.indexOf('=') + 1).trim() ?? '';
}

/** The language of a page, by its `Cookie` and `Accept-Language` headers. */
export function languageOf({ cookies, languages }: { cookies: string; languages: string }): Language {
  // `nb-NO,nb;q=0.9,en;q=0.8` is in the order of preference as browsers send it.
  const requested = languages.split(',').map((part) => part.split(/[-;]/, 1)[0]?.trim().toLowerCase() ?? '');
  const candidates = [cookieValue(cookies, 'canopy_language'), ...requested.map((name) => ALIASES[name] ?? name)];
  // Somebody who chose a language that was added reads English where the server has no words of it.
  if (ADDED.test(candidates[0] ?? '') && !LANGUAGES.some((language) => language === candidates[0])) return 'en';
  return candidates.map((name) => LANGUAGES.find((language) => language === name)).find((language) => language !== undefined) ?? 'en';
}

/** The language that this call's user reads: of the cookie, else of the browser, else English. */
export function languageOfCall(headers: IncomingHttpHeaders): Language {
  return languageOf({ cookies: headers.cookie ?? '', languages: headers['accept-language'] ?? '' });
}
