import { render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { startI18n } from '../i18n/index.ts';

const THEME = {
  app_name: 'Fjordline Fleet',
  short_name: null,
  full_app_name: null,
  company_name: null,
  title_text: null,
  logo_subtext: 'by <b>Fjordline</b>',
  main_color: '#0a7a5c',
  dark_mode_text_color: null,
  logo_vector: '/api/theme-pictures/k',
  favicon: '/api/theme-pictures/f',
  branded_device_series: [
    { original: 'RUT', branded: 'FJ' },
    { original: 'RUTX', branded: 'FJ-X' },
  ],
  branded_devices: [{ original_model: 'RUTX50', branded_model_image: '/api/theme-pictures/m' }],
  disabled_routes: [],
  default: false,
  show_data: false,
  show_payment: false,
  buy_link: null,
  buy_notice: null,
};

beforeEach(async () => {
  vi.resetModules();
  document.documentElement.removeAttribute('style');
  document.head.innerHTML = '<link rel="icon" href="/favicon.svg">';
  await startI18n('en');
});

const load = async () => ({ ...(await import('./index.ts')), ...(await import('../../ui/Brand.tsx')) });

test('the theme of the host name is there before anybody signs in, and stays when somebody of another company does', async () => {
  const meta = document.createElement('meta');
  meta.name = 'theme';
  meta.content = JSON.stringify(THEME);
  document.head.append(meta);
  const { applyHostTheme, applyUserTheme, Brand } = await load();
  applyHostTheme();
  applyUserTheme({ ...THEME, app_name: 'Other' });
  render(<Brand />);
  expect(screen.getByText('Fjordline Fleet')).toBeTruthy();
  expect(screen.getByText('by <b>Fjordline</b>')).toBeTruthy();
  expect(document.documentElement.style.getPropertyValue('--c-accent-fill')).toContain('#0a7a5c');
  expect(document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.getAttribute('href')).toBe(THEME.favicon);
});

test('without one of the host name it is that of the user; without any the console is itself', async () => {
  const { applyHostTheme, applyUserTheme, Brand, brandedModel } = await load();
  applyHostTheme();
  const { unmount } = render(<Brand />);
  expect(screen.getByText('Canopy')).toBeTruthy();
  expect(brandedModel('RUTX50')).toBe('RUTX50');
  unmount();
  applyUserTheme(THEME);
  render(<Brand />);
  expect(screen.getByText('Fjordline Fleet')).toBeTruthy();
  expect([brandedModel('RUTX50'), brandedModel('RUT240'), brandedModel('TSW202')]).toEqual(['FJ-X50', 'FJ240', 'TSW202']);
});

test('a changed theme is applied at once, that of the host name as its page has it now; a removed one leaves nothing behind', async () => {
  const { applyHostTheme, applyUserTheme, renewTheme, Brand } = await load();
  const fill = () => document.documentElement.style.getPropertyValue('--c-accent-fill');
  const icon = () => document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.getAttribute('href');
  let page = '<head></head>';
  vi.spyOn(globalThis, 'fetch').mockImplementation(() => Promise.resolve(new Response(page)));
  applyHostTheme();
  applyUserTheme(THEME);
  render(<Brand />);
  await renewTheme({ ...THEME, app_name: 'Fjordline at sea', main_color: '#7a0a5c', favicon: null });
  expect(await screen.findByText('Fjordline at sea')).toBeTruthy();
  expect([fill(), icon()]).toEqual([expect.stringContaining('#7a0a5c'), '/favicon.svg']);
  const meta = document.createElement('meta');
  Object.assign(meta, { name: 'theme', content: JSON.stringify({ ...THEME, app_name: 'Harbour' }) });
  page = `<head>${meta.outerHTML}</head>`;
  await renewTheme(THEME);
  expect(await screen.findByText('Harbour')).toBeTruthy();
  page = '<head></head>';
  await renewTheme(null);
  expect(await screen.findByText('Canopy')).toBeTruthy();
  expect([fill(), icon()]).toEqual(['', '/favicon.svg']);
});

test('a model has the picture of the theme, and only the theme of the installation offers what is bought', async () => {
  const { buyLinkOf, modelPicture } = await load();
  expect(modelPicture('rutx50', THEME)).toBe('/api/theme-pictures/m');
  expect(modelPicture('RUT240', THEME)).toBeUndefined();
  expect(modelPicture('RUTX50', null)).toBeUndefined();
  const theme = { default: true, show_payment: true, buy_link: 'https://shop.example' };
  expect(buyLinkOf(theme, { show_payment: true })).toBe('https://shop.example');
  const shown = { show_payment: true };
  expect([buyLinkOf({ ...theme, default: false }, shown), buyLinkOf({ ...theme, show_payment: false }, shown)], 'by the theme').toEqual([
    undefined,
    undefined,
  ]);
  expect([buyLinkOf(null, shown), buyLinkOf(theme, { show_payment: false })]).toEqual([undefined, undefined]);
});
