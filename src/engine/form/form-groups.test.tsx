import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { registerWidget } from './theme/widgets.ts';
import { closeEverything, describedBy, makeForm, openTestForm, startTestServer } from './test-kit.tsx';
import type { FormWidgetProps } from './theme/widgets.ts';
import type { TestServer } from './test-kit.tsx';
import type { ErrorItem } from '../../../schemas/kit/form/types.ts';

const form = makeForm({
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['name', 'network'],
    properties: {
      name: { type: 'string', maxLength: 20 },
      network: {
        type: 'object',
        additionalProperties: false,
        required: ['ssid'],
        properties: {
          ssid: { type: 'string', minLength: 3, maxLength: 20 },
          security: {
            type: 'object',
            additionalProperties: false,
            properties: { kind: { type: 'string', enum: ['open', 'wpa3'] }, password: { type: 'string', maxLength: 60 } },
          },
        },
      },
      channel: { type: 'integer', minimum: 1, maximum: 13 },
    },
  },
  fields: { 'network.security.password': { depends: { 'network.security.kind': ['wpa3'] }, required: true } },
  ui: {
    name: { 'ui:label': { en: 'Name' } },
    network: { 'ui:label': { en: 'Network' }, 'ui:hint': { en: 'What devices join' } },
    'network.ssid': { 'ui:label': { en: 'SSID' } },
    'network.security': { 'ui:label': { en: 'Security' } },
    'network.security.kind': { 'ui:widget': 'radio', 'ui:label': { en: 'Kind' } },
    'network.security.password': { 'ui:label': { en: 'Key' } },
    channel: { 'ui:label': { en: 'Channel' } },
  },
  sections: [
    { title: { en: 'Access' }, fields: ['network', 'anybody'] },
    { title: { en: 'Radio' }, description: { en: 'Seldom needed' }, fields: ['channel'], collapsed: true },
  ],
  alerts: {
    restart: { type: 'info', text: { en: 'The radio restarts.' } },
    anybody: { type: 'error', text: { en: 'Anybody can join.' }, depends: { 'network.security.kind': ['open'] } },
    secret: { type: 'info', text: { en: 'Only for some.' }, permission: 'super_admin' },
  },
});

let server: TestServer;
afterEach(async () => {
  closeEverything();
  await server.close();
});

const send = (): HTMLElement => screen.getByRole('button', { name: 'Send' });

/** Refuses once with these items, then accepts. */
async function open(...errors: ErrorItem[]) {
  let isFirst = errors.length > 0;
  server = await startTestServer(() => {
    if (!isFirst) return { body: { success: true, data: null } };
    isFirst = false;
    return { status: 422, body: { success: false, errors } };
  });
  return openTestForm(form);
}

describe('fields in groups', () => {
  test('are in a fieldset under its legend, three deep, and are sent as the schema nests them', async () => {
    const { user } = await open();
    const network = screen.getByRole('group', { name: 'Network' });
    const security = within(network).getByRole('group', { name: 'Security' });
    expect(describedBy(network)).toContain('What devices join');
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'quay');
    await user.type(within(network).getByRole('textbox', { name: 'SSID' }), 'ferry');
    await user.click(within(security).getByRole('radio', { name: 'wpa3' }));
    await user.type(await within(security).findByRole('textbox', { name: 'Key' }), 'ropes');
    await user.click(send());
    await waitFor(() => expect(server.calls).toHaveLength(1));
    expect(server.calls[0]?.body).toEqual({ name: 'quay', network: { ssid: 'ferry', security: { kind: 'wpa3', password: 'ropes' } } });
  });

  test('a member that is hidden is cleared and not sent [F5]', async () => {
    const { user } = await open();
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'quay');
    await user.type(screen.getByRole('textbox', { name: 'SSID' }), 'ferry');
    await user.click(screen.getByRole('radio', { name: 'wpa3' }));
    await user.type(await screen.findByRole('textbox', { name: 'Key' }), 'ropes');
    await user.click(screen.getByRole('radio', { name: 'open' }));
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Key' })).toBeNull());
    await user.click(send());
    await waitFor(() => expect(server.calls).toHaveLength(1));
    expect(server.calls[0]?.body).toEqual({ name: 'quay', network: { ssid: 'ferry', security: { kind: 'open' } } });
  });

  test('a required group that is empty is asked for at its members [F1]', async () => {
    const { user } = await open();
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'quay');
    await user.click(send());
    const ssid = screen.getByRole('textbox', { name: 'SSID' });
    await waitFor(() => expect(document.activeElement).toBe(ssid));
    expect(describedBy(ssid)).toContain('Fill in this field.');
    expect(server.calls).toEqual([]);
  });

  test('what the server refuses is shown at the member that its path names, also in bulk, and goes when that is edited [F3]', async () => {
    const { user } = await open(
      { code: 'ODD', message: 'This SSID is taken', source: 'data.0.network.ssid' },
      { code: 'ODD', message: 'No networks today', source: 'network' },
      { code: 'ODD', message: 'Nobody knows this', source: 'network.colour' },
    );
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'quay');
    await user.type(screen.getByRole('textbox', { name: 'SSID' }), 'ferry');
    await user.click(send());
    const ssid = screen.getByRole('textbox', { name: 'SSID' });
    await waitFor(() => expect(describedBy(ssid)).toBe('This SSID is taken'));
    const network = screen.getByRole('group', { name: 'Network' });
    expect(describedBy(network)).toContain('No networks today');
    expect(screen.getByText('Nobody knows this')).toBeTruthy();
    await user.type(ssid, 's');
    expect(ssid.getAttribute('aria-invalid')).toBeNull();
    expect(describedBy(network)).toContain('No networks today');
  });
});

describe('sections and messages', () => {
  test('a folded section opens when its heading is pressed', async () => {
    const { user } = await open();
    const heading = screen.getByRole('button', { name: 'Radio' });
    expect(heading.getAttribute('aria-expanded')).toBe('false');
    expect(screen.queryByRole('textbox', { name: 'Channel' })).toBeNull();
    await user.click(heading);
    expect(screen.getByRole('textbox', { name: 'Channel' })).toBeTruthy();
    await user.click(heading);
    expect(screen.queryByRole('textbox', { name: 'Channel' })).toBeNull();
  });

  test('a folded section opens by itself when a field in it is wrong, and the focus goes there [F2]', async () => {
    const { user } = await open({ code: 'ODD', message: 'This channel is forbidden here', source: 'channel' });
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'quay');
    await user.type(screen.getByRole('textbox', { name: 'SSID' }), 'ferry');
    await user.click(send());
    const channel = await screen.findByRole('textbox', { name: 'Channel' });
    await waitFor(() => expect(document.activeElement).toBe(channel));
    expect(describedBy(channel)).toBe('This channel is forbidden here');
    await user.type(channel, '6');
    expect(document.activeElement).toBe(channel);
    expect(screen.getByRole('textbox', { name: 'Channel' })).toBe(channel);
  });

  test('a folded section opens when the browser finds something in it', async () => {
    await open();
    const folded = screen.getByText('Seldom needed').parentElement;
    expect(folded?.getAttribute('hidden')).toBe('until-found');
    folded?.dispatchEvent(new Event('beforematch'));
    expect(await screen.findByRole('textbox', { name: 'Channel' })).toBeTruthy();
  });

  test('a message is shown while it applies, to those it is for, and a grave one is read out at once', async () => {
    const { user } = await open();
    expect(screen.getByText('The radio restarts.').closest('[role]')?.getAttribute('role')).toBe('status');
    expect(screen.queryByText('Only for some.')).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
    await user.click(screen.getByRole('radio', { name: 'open' }));
    expect((await screen.findByRole('alert')).textContent).toContain('Anybody can join.');
    await user.click(screen.getByRole('radio', { name: 'wpa3' }));
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  });
});

describe('a change in one field', () => {
  const renders = new Map<string, number>();
  const errorsOf = new Map<string, (string | undefined)[]>();
  function Counted({ name, id, value, items, control, onChange, onBlur }: FormWidgetProps) {
    renders.set(name, (renders.get(name) ?? 0) + 1);
    errorsOf.set(
      name,
      items.map(({ source }) => source),
    );
    return (
      <input
        {...control}
        value={typeof value === 'string' ? value : ''}
        onChange={(event) => onChange(event.target.value)}
        onBlur={() => onBlur(id, value)}
      />
    );
  }
  const counted = makeForm({
    schema: {
      type: 'object',
      additionalProperties: false,
      properties: { one: { type: 'string', maxLength: 9 }, two: { type: 'string', maxLength: 9 }, rows: { type: 'array', maxItems: 9 } },
    },
    ui: {
      one: { 'ui:widget': 'textarea', 'ui:label': { en: 'One' } },
      two: { 'ui:widget': 'textarea', 'ui:label': { en: 'Two' } },
      rows: { 'ui:widget': 'textarea', 'ui:label': { en: 'Rows' } },
    },
  });

  test('draws that field again, once for each key, and no other', async () => {
    registerWidget('textarea', Counted);
    server = await startTestServer(() => ({ body: { success: true, data: null } }));
    const { user } = await openTestForm(counted);
    await user.click(screen.getByRole('textbox', { name: 'One' }));
    renders.clear();
    await user.keyboard('abc');
    expect(Object.fromEntries(renders)).toEqual({ one: 3 });
    await user.click(send());
    await waitFor(() => expect(server.calls[0]?.body).toEqual({ one: 'abc' }));
  });

  test('a field that holds a list shows which of its items the server refuses [F3]', async () => {
    registerWidget('textarea', Counted);
    let isFirst = true;
    server = await startTestServer(() => {
      if (!isFirst) return { body: { success: true, data: null } };
      isFirst = false;
      return { status: 422, body: { success: false, errors: [{ code: 'ODD', message: 'No such port', source: 'rows.2.port' }] } };
    });
    const { user } = await openTestForm(counted);
    await user.type(screen.getByRole('textbox', { name: 'One' }), 'a');
    await user.click(send());
    await waitFor(() => expect(errorsOf.get('rows')).toEqual(['2.port']));
    expect(describedBy(screen.getByRole('textbox', { name: 'Rows' }))).toBe('No such port');
  });
});
