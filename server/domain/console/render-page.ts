import { FORGERY_COOKIE } from '../../kernel/auth/cookies.ts';
import { cookieValue, languageOf } from '../../kernel/language.ts';
import type { Theme } from '../themes.ts';

const THEMES = new Set(['on', 'off']);

export interface PageOptions {
  nonce: string;
  /** The Cookie header. */
  cookies: string;
  /** The Accept-Language header. */
  languages: string;
  /** What the host name's company has made of the console. */
  theme?: Theme | undefined;
}

/**
 * The console's page for one answer: the style nonce where scripts find it, and language and dark mode (`on`, `off`, `auto`) from the
 * cookies, so that neither flashes. Of the preload links only those of this language stay, and those of a session (`data-session`) only for
 * somebody who has one. Cookies only choose between known values; nothing of them is copied into the page.
 */
export function renderPage(page: string, options: PageOptions): string {
  const theme = cookieValue(options.cookies, 'canopy_dark');
  const isSignedIn = cookieValue(options.cookies, FORGERY_COOKIE) !== '';
  const language = languageOf(options);
  return page
    .replace(/<html[^>]*>/, `<html lang="${language}" data-theme="${THEMES.has(theme) ? theme : 'auto'}">`)
    .replace(/\s*<link [^>]*data-language="([a-z]+)"[^>]*>/g, (link, its: string) => (its === language ? link : ''))
    .replace(/\s*<link [^>]*data-session[^>]*>/g, (link) => (isSignedIn ? link : ''))
    .replace(/(<meta name="csp-nonce" content=")[^"]*"/, `$1${options.nonce}"`)
    .replace('</head>', () => `${themeTags(options.theme)}</head>`);
}

/** The theme as the console reads it before it draws anything. */
function themeTags(theme: Theme | undefined): string {
  return theme ? `<meta name="theme" content="${escapeAttribute(JSON.stringify(theme))}" />` : '';
}

/** Text between the quotes of an attribute. */
export function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
