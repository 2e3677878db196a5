import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeEverything, describedBy, makeForm, openTestForm, startTestServer } from '../../test-kit.tsx';
import { chooseTimezone, parseWire } from '../../../../kernel/time/index.ts';
import type { FieldUi, JsonSchema, JsonValue } from '../../../../../schemas/kit/form/types.ts';
import type { TestServer } from '../../test-kit.tsx';

let server: TestServer | undefined;
beforeEach(async () => {
  server = await startTestServer(() => ({ body: { success: true, data: null } }));
});
afterEach(async () => {
  chooseTimezone(undefined);
  closeEverything();
  await server?.close();
  server = undefined;
});

async function openField(schema: JsonSchema, ui: FieldUi = {}, value?: JsonValue) {
  const { user } = await openTestForm(
    makeForm({
      schema: { type: 'object', additionalProperties: false, properties: { value: schema } },
      ui: { value: { 'ui:label': { en: 'Value' }, ...ui } },
    }),
    value === undefined ? {} : { record: { value } },
  );
  return {
    user,
    input: screen.queryByLabelText<HTMLInputElement>('Value', { selector: 'input, textarea' }),
    leave: () => user.click(screen.getByText('Test form')),
    send: () => user.click(screen.getByRole('button', { name: 'Send' })),
    sent: () => waitFor(() => expect(server?.calls.length).toBe(1)).then(() => server?.calls[0]?.body),
  };
}

async function openText(schema: JsonSchema, ui: FieldUi = {}) {
  const { input, ...rest } = await openField(schema, ui);
  if (!input) throw new Error('There is no field.');
  return { input, ...rest };
}

const MAC: FieldUi = { 'ui:mask': 'FF:FF:FF:FF:FF:FF' };

describe('a text with a mask [F8]', () => {
  test.each(['AA-BB-CC-DD-EE-FF', 'aabb.ccdd.eeff', ' aabbccddeeff '])('takes %j pasted, and typed alike', async (spelling) => {
    const { user, input, send, sent } = await openText({ type: 'string', format: 'mac' }, MAC);
    await user.click(input);
    await user.paste(spelling);
    expect(input.value).toBe('AA:BB:CC:DD:EE:FF');
    await user.clear(input);
    await user.type(input, spelling.trim());
    expect(input.value).toBe('AA:BB:CC:DD:EE:FF');
    await send();
    expect(await sent()).toEqual({ value: 'AA:BB:CC:DD:EE:FF' });
  });

  test('leaves what does not fit in sight and says so when the field is left', async () => {
    const { user, input, leave, send } = await openText({ type: 'string', format: 'mac' }, MAC);
    await user.type(input, 'aaxyz');
    expect(input.value).toBe('AAxyz');
    await leave();
    expect(describedBy(input)).toContain('"xyz" does not fit. Use the form FF:FF:FF:FF:FF:FF.');
    await send();
    expect(server?.calls).toEqual([]);
    expect(input.value).toBe('AAxyz');
  });

  test('keeps the caret where it was when something is changed in the middle', async () => {
    const { user, input } = await openText({ type: 'string', format: 'mac' }, MAC);
    await user.type(input, 'aabbcc');
    input.setSelectionRange(1, 2);
    await user.keyboard('f');
    expect(input.value).toBe('AF:BB:CC');
    expect(input.selectionStart).toBe(2);
    await user.keyboard('{Backspace}');
    expect(input.value).toBe('A:BB:CC');
    expect(input.selectionStart).toBe(1);
  });
});

describe('a text with a format [F8]', () => {
  test.each<[string, string, string]>([
    ['mac', 'AA-BB-CC-DD-EE-FF', 'AA:BB:CC:DD:EE:FF'],
    ['imei', '35-693803-564380-9', '356938035643809'],
    ['phone', '+47 912 34 567', '+4791234567'],
    ['ipv4', '192,168,1,1', '192.168.1.1'],
  ])('of %s takes %j when it is pasted or left', async (format, spelling, normal) => {
    const { user, input, leave } = await openText({ type: 'string', format });
    await user.click(input);
    await user.paste(spelling);
    expect(input.value).toBe(normal);
    await user.clear(input);
    await user.type(input, spelling);
    expect(input.value).toBe(spelling);
    await leave();
    expect(input.value).toBe(normal);
  });

  test.each<[string, string, string]>([
    ['ipv4', '10.0.0.300', 'Each number must be between 0 and 255; 300 is not.'],
    ['cidr', '10.0.0.0/40', 'The prefix must be between 0 and 32.'],
    ['cidr', '10.0.0.0', 'Add the prefix after the address, such as /24.'],
    ['imei', '123', 'An IMEI has 15 digits; this has 3.'],
    ['file-name', 'a/b', 'File name contains forbidden symbols'],
  ])('of %s says what is wrong with %j', async (format, typed, message) => {
    const { user, input, leave } = await openText({ type: 'string', format });
    await user.type(input, typed);
    await leave();
    expect(describedBy(input)).toContain(message);
    expect(input.value).toBe(typed);
  });
});

test('pasted text is trimmed and cut to the longest length, and says that it was cut', async () => {
  const { user, input } = await openText({ type: 'string', maxLength: 5 });
  await user.click(input);
  await user.paste('  abc  ');
  expect(input.value).toBe('abc');
  expect(screen.queryByText(/was cut/)).toBeNull();
  await user.paste('defg');
  expect(input.value).toBe('abcde');
  expect(screen.getByText('The pasted text was cut to 5 characters.')).toBeTruthy();
  await user.type(input, '{Backspace}');
  expect(screen.queryByText(/was cut/)).toBeNull();
});

test('a monitoring period outside of its bounds is explained in words', async () => {
  const { user, input, leave } = await openText({ type: 'integer', minimum: 60, maximum: 31_536_000 });
  await user.type(input, '5');
  await leave();
  expect(describedBy(input)).toContain('Enter 60 seconds (a minute) to 31,536,000 seconds (a year).');
});

test('a number goes up and down by its step with the arrow keys, within its bounds', async () => {
  const { user, input, send, sent } = await openText({ type: 'number', minimum: 0, maximum: 1, multipleOf: 0.1 });
  await user.type(input, '0.1{ArrowUp}{ArrowUp}');
  expect(input.value).toBe('0.3');
  await user.keyboard('{ArrowUp>8/}');
  expect(input.value).toBe('1');
  await user.keyboard('{ArrowDown}');
  await send();
  expect(await sent()).toEqual({ value: 0.9 });
});

test('a field that is disabled shows its value, cannot be edited, and is sent as it is', async () => {
  const { input, send, sent } = await openField({ type: 'string', maxLength: 20 }, { 'ui:disabled': true }, 'fixed');
  expect(input?.disabled).toBe(true);
  expect(input?.value).toBe('fixed');
  await send();
  expect(await sent()).toEqual({ value: 'fixed' });
});

test('a password that is chosen says how strong it is, and one that is only asked for does not [F7]', async () => {
  const { user, input } = await openText({ type: 'string', maxLength: 200 }, { 'ui:widget': 'password', 'ui:generate': 'password' });
  await user.type(input, 'password1');
  expect(screen.getByText('Weak: easy to guess')).toBeTruthy();
  await user.clear(input);
  await user.click(screen.getByRole('button', { name: 'Generate a password' }));
  expect(input.value).toHaveLength(16);
  expect(screen.getByText('Strong')).toBeTruthy();
});

describe('JSON in a field', () => {
  test('is sent as the value it means; a fault says line and column, and nothing typed is lost', async () => {
    const schema: JsonSchema = { type: 'object', additionalProperties: { type: 'integer' }, maxProperties: 9 };
    const { user, input, leave, send, sent } = await openText(schema, { 'ui:widget': 'json' });
    await user.click(input);
    await user.paste('{\n  "a": 1,\n}');
    await leave();
    expect(describedBy(input)).toBe('Invalid JSON: line 3, column 1.');
    expect(input.value).toBe('{\n  "a": 1,\n}');
    await user.clear(input);
    await user.click(input);
    await user.paste('{"a":1}');
    await user.click(screen.getByRole('button', { name: 'Format' }));
    expect(input.value).toBe('{\n  "a": 1\n}');
    await send();
    expect(await sent()).toEqual({ value: { a: 1 } });
  });

  test('is a text where the schema is a text', async () => {
    const { user, input, send, sent } = await openText({ type: 'string', maxLength: 100 }, { 'ui:widget': 'json' });
    await user.click(input);
    await user.paste('[1]');
    await send();
    expect(await sent()).toEqual({ value: '[1]' });
  });
});

describe('times', () => {
  const range: JsonSchema = {
    type: 'object',
    additionalProperties: false,
    required: ['from', 'to'],
    properties: { from: { type: 'string', format: 'timestamp' }, to: { type: 'string', format: 'timestamp' } },
  };

  test('a day is sent as YYYY-MM-DD', async () => {
    const { user, input, send, sent } = await openText({ type: 'string', format: 'date' }, { 'ui:widget': 'date' });
    expect(input.type).toBe('date');
    await user.type(input, '2026-11-21');
    await send();
    expect(await sent()).toEqual({ value: '2026-11-21' });
  });

  test('a range is entered in the user’s zone and sent in UTC; its end comes after its start', async () => {
    chooseTimezone('Europe/Oslo');
    const { user, send, sent } = await openField(range, { 'ui:widget': 'time-range' });
    const from = screen.getByLabelText<HTMLInputElement>('From');
    const to = screen.getByLabelText<HTMLInputElement>('To');
    await user.type(from, '2026-07-01T10:00:00');
    await user.type(to, '2026-07-01T09:00:00');
    await send();
    expect(screen.getByText('The end must be later than the start.')).toBeTruthy();
    expect(to.getAttribute('aria-invalid')).toBe('true');
    expect(server?.calls).toEqual([]);
    await user.clear(to);
    await user.type(to, '2026-07-01T11:30:15');
    await send();
    expect(await sent()).toEqual({ value: { from: '2026-07-01 08:00:00', to: '2026-07-01 09:30:15' } });
  });

  test('a range has quick choices, and a missing end is asked for where it is missing', async () => {
    const { user, send } = await openField(range, { 'ui:widget': 'time-range' });
    await user.type(screen.getByLabelText('From'), '2026-07-01T10:00:00');
    await send();
    expect(describedBy(screen.getByLabelText('To'))).toContain('Fill in this field.');
    await user.click(screen.getByRole('button', { name: 'Last 24 hours' }));
    await send();
    await waitFor(() => expect(server?.calls.length).toBe(1));
    const [, fromText = '', toText = ''] = /"from":"([^"]+)","to":"([^"]+)"/.exec(JSON.stringify(server?.calls[0]?.body)) ?? [];
    expect(Number(parseWire(toText)) - Number(parseWire(fromText))).toBe(24 * 3600 * 1000);
  });

  test('the quick choices of a range for what comes begin now', async () => {
    const { user, send } = await openField(range, { 'ui:widget': 'time-range', 'ui:options': { ahead: true } });
    const now = Date.now();
    await user.click(screen.getByRole('button', { name: 'Next 24 hours' }));
    await send();
    await waitFor(() => expect(server?.calls.length).toBe(1));
    const [, fromText = '', toText = ''] = /"from":"([^"]+)","to":"([^"]+)"/.exec(JSON.stringify(server?.calls[0]?.body)) ?? [];
    expect(Number(parseWire(fromText))).toBeGreaterThanOrEqual(now - 1000);
    expect(Number(parseWire(toText)) - Number(parseWire(fromText))).toBe(24 * 3600 * 1000);
  });
});

describe('codes by the camera', () => {
  const area: FieldUi = { 'ui:widget': 'textarea', 'ui:options': { scan: true } };
  const stop = vi.fn<() => void>();
  const openCamera = vi.fn<() => Promise<unknown>>();

  beforeEach(() => {
    vi.stubGlobal(
      'BarcodeDetector',
      class {
        detect = () => Promise.resolve([{ rawValue: 'SN:1106433012;M:001E42ABCDEF' }, { rawValue: '1106433013' }]);
      },
    );
    openCamera.mockResolvedValue({ getTracks: () => [{ stop }] });
    Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value: { getUserMedia: openCamera } });
    vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue();
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    Reflect.deleteProperty(navigator, 'mediaDevices');
  });

  test('each code is one line, once, after those that are there; the camera is off when the scan ends', async () => {
    const { user, input } = await openField({ type: 'string' }, area, 'A-1');
    await user.click(screen.getByRole('button', { name: 'Scan with the camera' }));
    await waitFor(() => expect(input?.value).toBe('A-1\n1106433012, 001E42ABCDEF\n1106433013'));
    expect(stop).not.toHaveBeenCalled();
    await user.click(screen.getByRole('button', { name: 'Stop scanning' }));
    expect(stop).toHaveBeenCalledOnce();
    expect(input?.value.split('\n')).toHaveLength(3);
  });

  test('a camera that may not be used is said so', async () => {
    openCamera.mockRejectedValue(new Error('NotAllowedError'));
    const { user } = await openField({ type: 'string' }, area);
    await user.click(screen.getByRole('button', { name: 'Scan with the camera' }));
    expect((await screen.findByRole('alert')).textContent).toContain('camera');
  });

  test('nothing is offered where the browser reads no codes', async () => {
    vi.stubGlobal('BarcodeDetector', undefined);
    await openField({ type: 'string' }, area);
    expect(screen.queryByRole('button', { name: 'Scan with the camera' })).toBeNull();
  });
});
