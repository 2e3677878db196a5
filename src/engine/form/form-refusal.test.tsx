import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeEverything, describedBy, makeForm, openTestForm, startTestServer } from './test-kit.tsx';
import type { FormFile } from '../../../schemas/kit/form/types.ts';
import type { TestServer } from './test-kit.tsx';

let server: TestServer;
let words: string[];
beforeEach(async () => {
  words = ['Somebody was faster'];
  server = await startTestServer(() => ({
    status: 409,
    body: { success: false, errors: words.map((message) => ({ code: 'ODD', message })) },
  }));
});
afterEach(async () => {
  vi.restoreAllMocks();
  Reflect.deleteProperty(Element.prototype, 'scrollTo');
  closeEverything();
  await server.close();
});

const formWith = (rest: NonNullable<FormFile['submit']['errors']>['rest']): FormFile =>
  makeForm({
    schema: { type: 'object', additionalProperties: false, properties: { name: { type: 'string' } } },
    ui: {
      name: {
        'ui:label': { en: 'Name' },
        'ui:hint': { en: 'As on the door' },
        'ui:subtext': { en: 'Seen by all' },
        'ui:placeholder': { en: 'Quay 4' },
        'ui:addon': { en: '.fjordline.no' },
        'ui:class': 'monospace',
      },
    },
    submit: { method: 'POST', path: '/things', success: { then: 'close' }, errors: { rest } },
  });
const box = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' });

async function refuse(rest: Parameters<typeof formWith>[0]) {
  const { user } = await openTestForm(formWith(rest));
  await user.type(box(), 'Quay');
  await user.click(screen.getByRole('button', { name: 'Send' }));
  return user;
}

describe('what belongs to no field [F3]', () => {
  test('is shown above the fields, each sentence once; the window scrolls to its top', async () => {
    const scrolled = vi.fn<(to: unknown) => void>();
    Object.assign(Element.prototype, { scrollTo: scrolled });
    words = ['Somebody was faster', 'The store is closed', 'Somebody was faster'];
    await refuse('list');
    const alert = await within(screen.getByRole('dialog')).findByRole('alert');
    expect([...alert.querySelectorAll('p')].map((line) => line.textContent)).toEqual(['Somebody was faster', 'The store is closed']);
    await waitFor(() => expect(scrolled).toHaveBeenCalledWith({ top: 0 }));
    expect(scrolled.mock.contexts.map((element) => element instanceof Element && element.hasAttribute('data-dialog-body'))).toEqual([true]);
  });

  test('goes into a toast where the form says so, but only when it is one', async () => {
    const user = await refuse('toast');
    const toast = await waitFor(() => within(screen.getByRole('region', { name: 'Messages' })).getByRole('alert'));
    expect(toast.textContent).toContain('Somebody was faster');
    expect(within(screen.getByRole('dialog')).queryByRole('alert')).toBeNull();
    expect(box().value).toBe('Quay');
    words = ['One', 'Two'];
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect((await within(screen.getByRole('dialog')).findByRole('alert')).textContent).toBe('OneTwo');
  });

  test('goes into a window of its own where the form says so; closed, it leads back to the entries', async () => {
    const user = await refuse('dialog');
    const dialog = await screen.findByRole('alertdialog');
    expect(dialog.textContent).toContain('Somebody was faster');
    expect(within(dialog).queryByRole('button', { name: 'Cancel' })).toBeNull();
    const close = within(dialog).getAllByRole('button', { name: 'Close' }).at(-1);
    if (close) await user.click(close);
    expect(box().value).toBe('Quay');
  });
});

test('hint, subtext, placeholder, addon and class of a field are on screen, and the texts are read out with it', async () => {
  await openTestForm(formWith('list'));
  expect(describedBy(box())).toBe('As on the door | Seen by all');
  expect(box().placeholder).toBe('Quay 4');
  expect(screen.getByText('.fjordline.no')).toBeTruthy();
  expect(box().closest('.canopy-monospace')).not.toBeNull();
});
