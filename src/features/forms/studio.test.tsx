import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { reloadAddedForms } from '../../engine/form/added-forms.ts';
import { closeEverything, renderConsole, startTestServer, type Answerer, type TestServer } from '../../engine/form/test-kit.tsx';
import { FindingsList } from './FindingsList.tsx';
import { room } from './index.ts';
import { readBundle } from './read-bundle.ts';
import StudioPage from './StudioPage.tsx';
import type { FormSummary } from './studio-api.ts';

let server: TestServer | undefined;
afterEach(async () => {
  closeEverything();
  await server?.close();
});

const form = (parts: Partial<FormSummary>): FormSummary => ({
  id: 'ops/set-apn',
  title: { en: 'Set APN' },
  origin: 'added',
  version: 3,
  permission: 'execute_device_actions',
  place: { devices: ['bulk'], menu: 'system' },
  replaces: false,
  health: 'ok',
  quality: { level: 'silver', next: 'gold', missing: ['languages', 'hints'] },
  findings: [],
  updated_at: '2026-11-02 09:00:00',
  updated_by: 'Kari',
  ...parts,
});
const broken = form({
  id: 'ops/ping',
  title: { en: 'Ping' },
  health: 'broken',
  quality: null,
  findings: [{ line: 4, column: 2, code: 'unknown-key', message: 'The key "tilte" is not known here.' }],
});

async function open(answer: Answerer): Promise<void> {
  server = await startTestServer(answer);
  room.register?.();
  await renderConsole(<StudioPage />);
}

test('each form is listed with its id, version, right, place and health, a broken one with what is wrong [G1]', async () => {
  await open(() => ({ body: { success: true, data: [form({}), broken] } }));
  const row = (await screen.findByRole('link', { name: 'Set APN' })).closest('tr');
  const cells = within(row ?? document.body)
    .getAllByRole('cell')
    .map((cell) => cell.textContent);
  expect([cells[0], ...cells.slice(2, 6)]).toEqual([
    'OK',
    'Custom',
    '3',
    'Run device actions',
    'in the menu, System and on chosen devices',
  ]);
  expect(cells[6]).toContain('Kari');
  expect(screen.getByText('4:2 The key "tilte" is not known here.')).toBeTruthy();
});

test('a file that breaks while the list is open is shown as broken, though the forms in use stay the same [G1]', async () => {
  let forms = [form({})];
  await open(({ path }) => ({ body: { success: true, data: path.endsWith('/forms/added') ? [] : forms } }));
  await screen.findByRole('link', { name: 'Set APN' });
  forms = [form({}), broken];
  await reloadAddedForms();
  await screen.findByText('4:2 The key "tilte" is not known here.');
});

test('an unknown permission is explained in words [G1]', async () => {
  await open(() => ({
    body: { success: true, data: [form({ permission: 'signed-in' }), form({ id: 'ops/open', permission: 'public' })] },
  }));
  await screen.findByText('All signed-in users');
  expect(screen.getByText('No sign-in required')).toBeTruthy();
});

test('a form wears its level and says what the next one asks for; a broken one has none [G9]', async () => {
  await open(() => ({ body: { success: true, data: [form({}), broken] } }));
  const cellOf = async (name: string) => {
    const row = (await screen.findByRole('link', { name })).closest('tr');
    return within(row ?? document.body).getAllByRole('cell')[1]?.textContent;
  };
  expect(await cellOf('Set APN')).toBe('SilverFor Gold: all texts in four languages · a hint where a pattern or mask is');
  expect(await cellOf('Ping')).toBe('—');
});

test('the list is searched by title and id; finding nothing offers the way back [G1]', async () => {
  await open(() => ({ body: { success: true, data: [form({}), broken] } }));
  const user = userEvent.setup();
  await user.type(await screen.findByRole('searchbox', { name: 'Search forms' }), 'apn{Enter}');
  expect(screen.queryByRole('link', { name: 'Ping' })).toBeNull();
  await user.clear(screen.getByRole('searchbox'));
  await user.type(screen.getByRole('searchbox'), 'nothing{Enter}');
  await screen.findByText('No form matches the search');
});

test('forms that were added come first; those that ship are a choice away, and where there is none of one’s own it says so [G1]', async () => {
  const shipped = form({ id: 'tags/new', title: { en: 'New tag' }, origin: 'shipped' });
  await open(() => ({ body: { success: true, data: [form({}), shipped] } }));
  await screen.findByRole('link', { name: 'Set APN' });
  expect(screen.queryByRole('link', { name: 'New tag' })).toBeNull();
  await userEvent.click(screen.getByRole('radio', { name: 'Built-in' }));
  expect(screen.queryByRole('link', { name: 'Set APN' })).toBeNull();
  await screen.findByRole('link', { name: 'New tag' });
  await userEvent.click(screen.getByRole('radio', { name: 'All' }));
  expect(screen.getAllByRole('link', { name: /Set APN|New tag/ })).toHaveLength(2);
});

test('without forms of one’s own those that ship are shown', async () => {
  const shipped = form({ id: 'tags/new', title: { en: 'New tag' }, origin: 'shipped' });
  await open(() => ({ body: { success: true, data: [shipped] } }));
  await screen.findByRole('link', { name: 'New tag' });
  await userEvent.click(screen.getByRole('radio', { name: 'Custom' }));
  await screen.findByText('No custom forms yet');
});

test('a list that cannot be loaded says why and tries again', async () => {
  let isBroken = true;
  await open(() =>
    isBroken
      ? { status: 400, body: { success: false, errors: [{ code: 'SOME', message: 'Not today.' }] } }
      : { body: { success: true, data: [form({})] } },
  );
  const again = await screen.findByRole('button', { name: 'Try again' });
  expect(screen.getByText('Not today.')).toBeTruthy();
  isBroken = false;
  await userEvent.click(again);
  await screen.findByRole('link', { name: 'Set APN' });
});

test('an import shows the outcome of each form, and replaces what differs only on request [G1]', async () => {
  const different = { code: 'FORM_CHANGED', message: 'Changed.', source: 'forms.1', params: { id: 'ops/ping' } };
  const wrong = { code: 'INVALID_FORM', message: 'The key "x" is not known here.', source: 'forms.2.3:7', params: { line: 3, column: 7 } };
  await open(({ path, body }) => {
    if (path !== '/forms/import') return { body: { success: true, data: [] } };
    const { overwrite } = body as { overwrite: boolean };
    if (overwrite) return { body: { success: true, data: [{ id: 'ops/ping', version: 4 }] } };
    return { status: 207, body: { success: true, data: [{ id: 'ops/set-apn', version: 1 }], errors: [different, wrong] } };
  });
  const forms = ['ops/set-apn', 'ops/ping', 'ops/bad'].map((id) => ({ id, text: '{}' }));
  const file = new File([JSON.stringify({ format: 'canopy-forms/1', forms })], 'forms.json', { type: 'application/json' });
  await userEvent.upload(await screen.findByLabelText('File with forms'), file);
  const dialog = await screen.findByRole('dialog', { name: 'Imported forms' });
  await within(dialog).findByText('3:7 The key "x" is not known here.', { exact: false });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Replace 1 form' }));
  await within(dialog).findByText('Saved as version 4');
  expect(within(dialog).queryByText(/A different form/)).toBeNull();
  expect(within(dialog).getByText('ops/bad')).toBeTruthy();
  const sent = server?.calls.filter(({ path }) => path === '/forms/import').map(({ body }) => body);
  expect(sent?.[1]).toEqual({ forms: [{ id: 'ops/ping', text: '{}' }], overwrite: true });
});

test('a file is taken as an export or as one form; anything else is neither', () => {
  expect(readBundle('{"forms":[{"id":"a/b","text":"{}","sha256":"0"}]}')).toEqual([{ id: 'a/b', text: '{}' }]);
  const single = '{"id":"a/b","schema":{}}';
  expect(readBundle(single)).toEqual([{ id: 'a/b', text: single }]);
  for (const text of ['', '[]', 'null', '{"forms":[]}', '{"forms":[1]}', '{"id":3,"schema":{}}']) expect(readBundle(text)).toBeUndefined();
});

test('nothing is called right before it was judged [G3]', async () => {
  await renderConsole(<FindingsList findings={undefined} warnings={[]} onJump={() => undefined} />);
  expect(screen.getByRole('status').textContent).toBe('Checking …');
});

test('each finding leads to its line [G3]', async () => {
  const onJump = vi.fn();
  await renderConsole(<FindingsList findings={broken.findings} warnings={[]} onJump={onJump} />);
  expect(screen.getByRole('status').textContent).toBe('1 problem');
  await userEvent.click(screen.getByRole('button', { name: /4:2/ }));
  expect(onJump).toHaveBeenCalledWith(broken.findings[0]);
});

test('a warning is shown for a valid text, and leads to its line [G3]', async () => {
  const onJump = vi.fn();
  const [finding] = broken.findings;
  const warnings = finding ? [{ ...finding, message: 'The setting WEBHOOKS names no "ticket".' }] : [];
  await renderConsole(<FindingsList findings={[]} warnings={warnings} onJump={onJump} />);
  expect(screen.getByRole('status').textContent).toBe('No problems found1 warning');
  await userEvent.click(screen.getByRole('button', { name: /WEBHOOKS/ }));
  expect(onJump).toHaveBeenCalledWith(warnings[0]);
});
