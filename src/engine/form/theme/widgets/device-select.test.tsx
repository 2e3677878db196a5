import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { closeEverything, makeForm, openTestForm, startTestServer } from '../../test-kit.tsx';
import type { FieldUi, JsonSchema, JsonValue } from '../../../../../schemas/kit/form/types.ts';
import type { Answerer, TestServer } from '../../test-kit.tsx';

let server: TestServer | undefined;
afterEach(async () => {
  closeEverything();
  await server?.close();
  server = undefined;
});

const rows = Array.from({ length: 130 }, (_, index) => ({
  id: index + 1,
  name: `Router ${String(index + 1).padStart(3, '0')}`,
  serial: `S${index + 1}`,
  status: index % 2,
  model: index % 10 === 0 ? 'TSW100' : 'RUTX50',
}));

const devices: Answerer = ({ path, query }) => {
  if (path !== '/devices') return { body: { success: true, data: null } };
  const ids = query['id']?.split(',').map(Number);
  const isAble = ({ model }: { model: string }): boolean => query['supports'] === undefined || model === 'RUTX50';
  const found = rows.filter((row) => (ids ? ids.includes(row.id) : isAble(row) && row.name.includes(query['q'] ?? '')));
  const offset = Number(query['offset'] ?? 0);
  const limit = Math.min(100, Number(query['limit'] ?? 10));
  return { body: { success: true, data: found.slice(offset, offset + limit), meta: { total: found.length } } };
};

const many: JsonSchema = { type: 'array', maxItems: 200, items: { type: 'integer' } };

async function openSelect(schema: JsonSchema, options: FieldUi['ui:options'] = {}, value?: JsonValue, answer: Answerer = devices) {
  server = await startTestServer(answer);
  const { user } = await openTestForm(
    makeForm({
      schema: { type: 'object', additionalProperties: false, properties: { device: schema } },
      ui: { device: { 'ui:widget': 'device-select', 'ui:label': { en: 'Devices' }, 'ui:options': options } },
    }),
    value === undefined ? {} : { record: { device: value } },
  );
  return {
    user,
    sent: async () => {
      await user.click(screen.getByRole('button', { name: 'Send' }));
      await waitFor(() => expect(server?.calls.at(-1)?.path).toBe('/things'));
      return server?.calls.at(-1)?.body;
    },
  };
}

describe('choosing devices in a form [F5]', () => {
  test('searches on the server, pages, keeps what was chosen elsewhere, and sends the numbers', async () => {
    const { user, sent } = await openSelect(many, {}, [125]);
    await user.click(await screen.findByRole('checkbox', { name: 'Router 002' }));
    expect(await screen.findByText('Router 125, Router 002')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await user.click(await screen.findByRole('checkbox', { name: 'Router 011' }));
    await user.type(screen.getByRole('searchbox'), '042{Enter}');
    await user.click(await screen.findByRole('checkbox', { name: 'Router 042' }));
    expect(screen.getByText('4 selected')).toBeTruthy();
    expect(await sent()).toEqual({ device: [125, 2, 11, 42] });
  });

  test('takes one where the schema is a number', async () => {
    const { user, sent } = await openSelect({ type: 'integer' });
    await user.click(await screen.findByRole('radio', { name: 'Router 003' }));
    await user.click(screen.getByRole('radio', { name: 'Router 004' }));
    expect(await sent()).toEqual({ device: 4 });
  });

  test('takes all that match, over all pages, and no more than the list may hold', async () => {
    const { user, sent } = await openSelect({ ...many, maxItems: 120 });
    await user.click(await screen.findByRole('button', { name: 'Select all 130 matching' }));
    await waitFor(() => expect(screen.getByText('120 selected')).toBeTruthy());
    expect(await sent()).toEqual({ device: rows.slice(0, 120).map(({ id }) => id) });
  });

  test('what a form is sent for is taken as a query with its count, until the filter changes [T5]', async () => {
    server = await startTestServer(devices);
    const { user } = await openTestForm(
      makeForm({
        schema: { type: 'object', additionalProperties: false, properties: { device_id: many } },
        ui: { device_id: { 'ui:widget': 'device-select', 'ui:label': { en: 'Devices' }, 'ui:options': { supports: 'wifi' } } },
        submit: { method: 'POST', path: '/things', payload: 'devices', success: { then: 'stay' } },
      }),
    );
    await user.type(await screen.findByRole('searchbox'), 'Router 1{Enter}');
    await user.click(await screen.findByRole('button', { name: 'Select all 28 matching' }));
    expect(screen.getByText('28 selected')).toBeTruthy();
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Router 102' }).checked).toBe(true);
    await user.click(screen.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(server?.calls.at(-1)?.path).toBe('/things'));
    expect(server?.calls.at(-1)?.body).toEqual({ selection: { query: { q: 'Router 1', supports: 'wifi' }, count: 28 } });
    await user.clear(screen.getByRole('searchbox'));
    await user.type(screen.getByRole('searchbox'), '042{Enter}');
    expect(await screen.findByText('0 selected')).toBeTruthy();
  });

  test('offers only those that support what is asked for', async () => {
    const { user } = await openSelect(many, { supports: 'wifi' });
    expect(await screen.findByText('Only devices that support this can be chosen: Wi-Fi')).toBeTruthy();
    await screen.findByRole('checkbox', { name: 'Router 002' });
    expect(screen.queryByRole('checkbox', { name: 'Router 001' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Select all 117 matching' }));
    await waitFor(() => expect(screen.getByText('117 selected')).toBeTruthy());
  });

  test('says when the list failed, with a way to try again, and when nothing is found', async () => {
    let isBroken = true;
    const { user } = await openSelect(many, {}, undefined, (call) =>
      isBroken ? { status: 500, body: { success: false } } : devices(call),
    );
    const retry = await screen.findByRole('button', { name: 'Try again' });
    isBroken = false;
    await user.click(retry);
    await screen.findByRole('checkbox', { name: 'Router 001' });
    await user.type(screen.getByRole('searchbox'), 'zzz{Enter}');
    await waitFor(() => expect(within(screen.getByRole('dialog')).getByText('Nothing found')).toBeTruthy());
  });
});
