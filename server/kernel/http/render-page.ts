import type { IncomingHttpHeaders } from 'node:http';
import { FORGERY_COOKIE } from '../auth/cookies.ts';
import type { Theme } from '../themes.ts';

/** Languages that everything is there in. */
export const LANGUAGES = ['en', 'nb', 'ja', 'uk'] as const;
export type Language = (typeof LANGUAGES)[number];
/** Norwegian as browsers name it: `no`, `nn-NO`. */
const ALIASES: Record<string, string> = { no: 'nb', nn: 'nb' };
// `de`, `pt-BR`
const ADDED = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}$/;
const THEMES = new Set(['on', 'off']);

export interface PageWishes {
  nonce: string;
  /** The Cookie header. */
  cookies: string;
  /** The Accept-Language header. */
  languages: string;
  /** What the host name's company has made of the console. */
  theme?: Theme | undefined;
}

function cookieValue(cookies: string, name: string): string {
  const found = cookies.split(';').find((part) => part.trim().startsWith(`${name}=`));
  return found?.slice(found.indexOf('=') + 1).trim() ?? '';
}

/** The language of a page. */
export function languageOf({ cookies, languages }: Pick<PageWishes, 'cookies' | 'languages'>): Language {
  // `nb-NO,nb;q=0.9,en;q=0.8` is in the order of preference as browsers send it.
  const wished = languages.split(',').map((part) => part.split(/[-;]/, 1)[0]?.trim().toLowerCase() ?? '');
  const candidates = [cookieValue(cookies, 'canopy_language'), ...wished.map((name) => ALIASES[name] ?? name)];
  // Somebody who chose a language that was added reads English where the server has no words of it.
  if (ADDED.test(candidates[0] ?? '') && !LANGUAGES.some((language) => language === candidates[0])) return 'en';
  return candidates.map((name) => LANGUAGES.find((language) => language === name)).find((language) => language !== undefined) ?? 'en';
}

/** The language that whoever sends this call reads: of the cookie, else of the browser, else English. */
export function languageOfCall(headers: IncomingHttpHeaders): Language {
  return languageOf({ cookies: headers.cookie ?? '', languages: headers['accept-language'] ?? '' });
}

/**
 * The console's page for one answer: the style nonce where scripts find it, and language and dark mode (`on`, `off`, `auto`) from the
 * cookies, so that neither flashes. Of the preload links only those of this language stay, and those of a session (`data-session`) only for
 * somebody who has one. Cookies only choose between known values; nothing of them is copied into the page.
 */
export function renderPage(page: string, wishes: PageWishes): string {
  const theme = cookieValue(wishes.cookies, 'canopy_dark');
  const isSignedIn = cookieValue(wishes.cookies, FORGERY_COOKIE) !== '';
  const language = languageOf(wishes);
  return page
    .replace(/<html[^>]*>/, `<html lang="${language}" data-theme="${THEMES.has(theme) ? theme : 'auto'}">`)
    .replace(/\s*<link [^>]*data-language="([a-z]+)"[^>]*>/g, (link, its: string) => (its === language ? link : ''))
    .replace(/\s*<link [^>]*data-session[^>]*>/g, (link) => (isSignedIn ? link : ''))
    .replace(/(<meta name="csp-nonce" content=")[^"]*"/, `$1${wishes.nonce}"`)
    .replace('</head>', () => `${themeTags(wishes.theme)}</head>`);
}

/** The theme as the console reads it before it draws anything. */
function themeTags(theme: Theme | undefined): string {
  return theme ? `<meta name="theme" content="${escapeAttribute(JSON.stringify(theme))}" />` : '';
}

/** Text between the quotes of an attribute. */
export function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
