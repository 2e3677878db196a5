import { useEffect } from 'react';
import type { CurrentUser } from '../../../schemas/_generated/contract.ts';
import { useT } from '../i18n/index.ts';
import { createStore, useStore } from '../store.ts';
import { themeVariables } from './accent-colors.ts';

export { accentColors, themeVariables } from './accent-colors.ts';

/** The theme of a top-level company or of its host name; null for the default. */
export type Theme = NonNullable<CurrentUser['theme']>;

/** The console's own name is the same in every language. */
export const OWN_NAME = 'Canopy';

const theme = createStore<Theme | null>(null);

const OWN_ICON = '/favicon.svg';
let ofHost: Theme | null = null;

/** Puts the theme of the page's host name on it, if it has one; before anything is drawn. */
export function applyHostTheme(): void {
  ofHost = readHostTheme(document);
  applyTheme(ofHost);
}

/** The theme of a signed-in user's company; one of the host name comes first, which is where they have chosen to be. */
export function applyUserTheme(own: Theme | null): void {
  applyTheme(ofHost ?? own);
}

/** Applies a changed theme; the host name's is read from a page as it is delivered now. Throws without a network. */
export async function renewTheme(own: Theme | null): Promise<void> {
  const answer = await fetch('/login', { headers: { accept: 'text/html' } });
  if (answer.ok) ofHost = readHostTheme(new DOMParser().parseFromString(await answer.text(), 'text/html'));
  applyUserTheme(own);
}

function readHostTheme(page: Document): Theme | null {
  const text = page.querySelector<HTMLMetaElement>('meta[name="theme"]')?.content;
  // Written by our server for this page.
  return text === undefined ? null : (JSON.parse(text) as Theme);
}

function applyTheme(next: Theme | null): void {
  const { style } = document.documentElement;
  for (const name of Object.keys(themeVariables(theme.get()))) style.removeProperty(name);
  for (const [name, value] of Object.entries(themeVariables(next))) style.setProperty(name, value);
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (icon && (next?.favicon ?? null) !== (theme.get()?.favicon ?? null)) {
    icon.removeAttribute('type');
    icon.href = next?.favicon ?? OWN_ICON;
  }
  theme.set(next);
}

/** The theme in force. */
export function useTheme(): Theme | null {
  return useStore(theme);
}

/** What a theme calls the console in the title of the browser window. */
export function windowName(own: Pick<Theme, 'title_text' | 'full_app_name' | 'app_name'> | null): string {
  return own?.title_text ?? own?.full_app_name ?? own?.app_name ?? OWN_NAME;
}

/** Names the browser window after a page: `Devices · Canopy`. */
export function useWindowTitle(page: string): void {
  const t = useT();
  const own = useTheme();
  useEffect(() => {
    document.title = t('common.windowTitle', { page, app: windowName(own) });
  }, [t, page, own]);
}

/** A device's model under the name that the theme gives its series: `RUTX50` → `FJ-X50`. The longest original that fits counts. */
export function brandedModel(model: string, own: Pick<Theme, 'branded_device_series'> | null = theme.get()): string {
  const fits = (own?.branded_device_series ?? []).filter(({ original }) => model.toLowerCase().startsWith(original.toLowerCase()));
  const best = fits.toSorted((a, b) => b.original.length - a.original.length)[0];
  return best ? best.branded + model.slice(best.original.length) : model;
}

/** The address of the picture that the theme has for a model. */
export function modelPicture(model: string, own: Pick<Theme, 'branded_devices'> | null = theme.get()): string | undefined {
  return own?.branded_devices.find(({ original_model }) => original_model.toLowerCase() === model.toLowerCase())?.branded_model_image;
}

/** Where resources are bought, as far as the theme offers it and the user is shown it (docs/behaviour.md section 6). */
export function buyLinkOf(
  own: Pick<Theme, 'default' | 'show_payment' | 'buy_link'> | null,
  user: Pick<CurrentUser, 'show_payment'>,
): string | undefined {
  return own?.default && own.show_payment && user.show_payment ? (own.buy_link ?? undefined) : undefined;
}
