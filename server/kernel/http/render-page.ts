import type { IncomingHttpHeaders } from 'node:http';
import { FORGERY_COOKIE } from '../auth/cookies.ts';
import type { Theme } from '../themes.ts';
import { isForbidden, type FirstRead } from './page/first-reads.ts';

/** Languages that everything is there in. */
export const LANGUAGES = ['en', 'nb', 'ja', 'uk'] as const;
export type Language = (typeof LANGUAGES)[number];
/** Norwegian as browsers name it: `no`, `nn-NO`. */
const ALIASES: Record<string, string> = { no: 'nb', nn: 'nb' };
const THEMES = new Set(['on', 'off']);

export interface PageWishes {
  nonce: string;
  /** The address of the page, without the host. */
  url: string;
  /** The Cookie header. */
  cookies: string;
  /** The Accept-Language header. */
  languages: string;
  /** What the host name's company has made of the console. */
  theme?: Theme | undefined;
  /** Answers that come with the page, by address below `/api`. */
  answers?: Readonly<Record<string, unknown>> | undefined;
}

const READ_LINK = /\s*<link [^>]*href="\/api([^"]+)"[^>]*data-list="([^"]+)"(?: data-needs="([^"]+)")?[^>]*>/g;
/** Preferences that decide how a page looks; no token of a session is among them. */
const LOOKS = ['canopy_dark', 'canopy_menu', 'canopy_timezone'];
const MACHINE_ZONE = 'canopy_machine_timezone';

function cookieValue(cookies: string, name: string): string {
  const found = cookies.split(';').find((part) => part.trim().startsWith(`${name}=`));
  return found?.slice(found.indexOf('=') + 1).trim() ?? '';
}

/** The language of a page. */
export function languageOf({ cookies, languages }: Pick<PageWishes, 'cookies' | 'languages'>): Language {
  // `nb-NO,nb;q=0.9,en;q=0.8` is in the order of preference as browsers send it.
  const wished = languages.split(',').map((part) => part.split(/[-;]/, 1)[0]?.trim().toLowerCase() ?? '');
  const candidates = [cookieValue(cookies, 'canopy_language'), ...wished.map((name) => ALIASES[name] ?? name)];
  return candidates.map((name) => LANGUAGES.find((language) => language === name)).find((language) => language !== undefined) ?? 'en';
}

/** The language that whoever sends this call reads: of the cookie, else of the browser, else English. */
export function languageOfCall(headers: IncomingHttpHeaders): Language {
  return languageOf({ cookies: headers.cookie ?? '', languages: headers['accept-language'] ?? '' });
}

/**
 * The console's page for one answer: the style nonce where scripts find it, and language and dark mode (`on`, `off`, `auto`) from the
 * cookies, so that neither flashes, and of the links that fetch texts and records ahead only those that are wanted. Cookies only choose between known values; nothing of them is copied into the page.
 */
export function renderPage(page: string, wishes: PageWishes): string {
  const theme = cookieValue(wishes.cookies, 'canopy_dark');
  const language = languageOf(wishes);
  return page
    .replace(/<html[^>]*>/, `<html lang="${language}" data-theme="${THEMES.has(theme) ? theme : 'auto'}">`)
    .replace(/\s*<link [^>]*data-language="([a-z]+)"[^>]*>/g, (link, its: string) => (its === language ? link : ''))
    .replace(READ_LINK, (link, address: string, list: string, needs?: string) =>
      isRead(list, wishes) && !isHere(address, wishes) && !isForbidden({ address, needs }, wishes.answers ?? {}) ? link : '',
    )
    .replace(/(<meta name="csp-nonce" content=")[^"]*"/, `$1${wishes.nonce}"`)
    .replace('</head>', () => `${themeTags(wishes.theme)}</head>`)
    .replace('</body>', () => `${answerTags(wishes.answers)}</body>`);
}

/** The reads that this page begins with, and whether rows are among them. */
export function firstReadsOf(page: string, wishes: Pick<PageWishes, 'cookies' | 'url'>): { reads: FirstRead[]; isList: boolean } {
  const found = [...page.matchAll(READ_LINK)].filter(([, , list = '']) => isRead(list, wishes));
  return {
    reads: found.map(([, address = '', , needs]) => ({ address: address.replaceAll('&amp;', '&'), needs })),
    isList: found.some(([, , list]) => list !== '*'),
  };
}

/**
 * The cookies that a drawing depends on, as a Cookie header; `undefined` when it is not known where the person is: their times would be drawn
 * wrong. The zone of the machine counts unless another one was chosen.
 */
export function looksOf(cookies: string): string | undefined {
  const zone = cookieValue(cookies, 'canopy_timezone') || cookieValue(cookies, MACHINE_ZONE);
  if (zone === '') return undefined;
  return LOOKS.map((name) => `${name}=${name === 'canopy_timezone' ? zone : cookieValue(cookies, name)}`).join('; ');
}

function isHere(address: string, { answers }: PageWishes): boolean {
  return answers !== undefined && Object.hasOwn(answers, address.replaceAll('&amp;', '&'));
}

/** Data, not a script: browsers run nothing of it. Without `<` nothing in it can end the element. */
function answerTags(answers: PageWishes['answers']): string {
  if (answers === undefined) return '';
  return `<script type="application/json" id="first-answers">${JSON.stringify(answers).replaceAll('<', '\\u003c')}</script>`;
}

/** Whether the page begins with the reads marked with `list`: for somebody who is signed in, as far as the cookies tell, on any page (`*`) or on that list's. */
function isRead(list: string, { cookies, url }: Pick<PageWishes, 'cookies' | 'url'>): boolean {
  return cookieValue(cookies, FORGERY_COOKIE) !== '' && (list === '*' || list === url);
}

/** The theme as the console reads it before it draws anything. */
function themeTags(theme: Theme | undefined): string {
  return theme ? `<meta name="theme" content="${escapeAttribute(JSON.stringify(theme))}" />` : '';
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
