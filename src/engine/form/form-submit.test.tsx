import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadUser } from '../../kernel/session/index.ts';
import { registerDialog } from '../dialogs/index.ts';
import { setNavigate } from './after-submit.ts';
import { holdFile } from './files.ts';
import { partsOf } from './submit.ts';
import { closeEverything, describedBy, makeForm, openTestForm, startTestServer } from './test-kit.tsx';
import type { Envelope, FormFile } from '../../../schemas/kit/form/types.ts';
import type { Answerer, Received, TestServer } from './test-kit.tsx';

const base = {
  schema: { type: 'object', properties: { name: { type: 'string' } } },
  ui: { name: { 'ui:label': { en: 'Name' } } },
} satisfies Partial<FormFile>;
const form = makeForm(base);

let server: TestServer;
let opened: number[] = [];
registerDialog('job.status', async () => ({
  default: ({ jobId, onCompleted }) => {
    opened.push(jobId);
    return (
      <button type="button" onClick={onCompleted}>
        Job {jobId} is over
      </button>
    );
  },
}));
beforeEach(() => void (opened = []));
afterEach(async () => {
  act(() => closeEverything());
  await server.close();
});

type Reply = { status?: number; body: Envelope };
const done: Reply = { body: { success: true, data: { id: 7 } } };
const refuse = (status: number, code: string, message: string, rest: Partial<Envelope> = {}): Reply => ({
  status,
  body: { success: false, errors: [{ code, message }], ...rest },
});
const mfa = (method: string): Reply =>
  refuse(403, 'MFA_REQUIRED', 'A code is needed.', {
    meta: { mfa_method: method, mfa_type: method, session_id: 's', session_uuid: 'u', provider_url: 'https://id.example/go' },
  });
const codeOf = ({ body }: Received): unknown =>
  typeof body === 'object' && body !== null && 'session_code' in body ? body.session_code : undefined;

async function send(answer: Answerer, which: FormFile = form, before?: () => Promise<unknown>) {
  server = await startTestServer(answer);
  await before?.();
  const test = await openTestForm(which);
  await test.user.type(screen.getByLabelText('Name'), 'Quay');
  await test.user.click(screen.getByRole('button', { name: 'Send' }));
  return test;
}
const top = () => within(screen.getAllByRole('dialog').at(-1) ?? document.body);

describe('a code that is asked for on the way [F6]', () => {
  test('by e-mail: the dialog stays with the reason while the code is wrong, and the same data goes out with the right one', async () => {
    const { user, result } = await send((call) => {
      if (call.path === '/mfa/resend') return done;
      if (codeOf(call) === '22') return done;
      return codeOf(call) === undefined ? mfa('email') : refuse(403, 'CONFIRMATION_FAILED', 'The code is wrong.');
    });
    const dialog = within(await screen.findByRole('dialog', { name: 'Enter authentication code' }));
    expect(dialog.getByText(/A verification code has been sent to your e-mail/)).toBeTruthy();
    const code = dialog.getByRole('textbox', { name: 'Code' });
    expect(document.activeElement).toBe(code);
    await user.click(dialog.getByRole('button', { name: 'Confirm' }));
    expect(describedBy(code)).toBe('Enter the code.');
    await user.type(code, '11{Enter}');
    await dialog.findByText('This code is wrong or has already been used.');
    expect(describedBy(code)).toBe('This code is wrong or has already been used.');
    await user.click(dialog.getByRole('button', { name: 'Send again' }));
    await dialog.findByText('A new code is on its way.');
    await user.clear(code);
    await user.type(code, '22{Enter}');
    expect((await result)?.data).toEqual({ id: 7 });
    expect(server.calls.filter(({ path }) => path === '/things').map(({ body }) => body)).toEqual([
      { name: 'Quay' },
      { name: 'Quay', session_code: '11', session_id: 's', session_uuid: 'u' },
      { name: 'Quay', session_code: '22', session_id: 's', session_uuid: 'u' },
    ]);
    expect(server.calls.find(({ path }) => path === '/mfa/resend')?.body).toEqual({ session_id: 's', session_uuid: 'u' });
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('by app it takes digits; by identity provider it leads there', async () => {
    const methods = ['totp', 'provider'];
    const { user } = await send(() => mfa(methods.shift() ?? 'none'));
    const app = await screen.findByRole('textbox', { name: 'Code' });
    expect(app.getAttribute('inputmode')).toBe('numeric');
    await user.keyboard('{Escape}');
    await user.click(await screen.findByRole('button', { name: 'Send' }));
    const link = await screen.findByRole('link', { name: 'Open your identity provider' });
    expect(link.getAttribute('href')).toBe('https://id.example/go');
  });

  test('given up leads back to the untouched form, which can be sent again', async () => {
    let isAsked = true;
    const { user, result } = await send(() => (isAsked ? mfa('email') : done));
    await user.click(
      (await screen.findByRole('dialog', { name: 'Enter authentication code' })) && top().getByRole('button', { name: 'Cancel' }),
    );
    const name = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' });
    expect(name.value).toBe('Quay');
    expect(screen.queryByRole('alert')).toBeNull();
    isAsked = false;
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect((await result)?.data).toEqual({ id: 7 });
  });

  test('by a method that nobody knows is shown beside the form, in words', async () => {
    await send(() => refuse(403, 'MFA_REQUIRED', '', { meta: { mfa_method: 'pigeon' } }));
    expect((await within(screen.getByRole('dialog')).findByRole('alert')).textContent).toBe('Failed to connect to server');
  });

  test('and the refusal that comes after the right code is at its field', async () => {
    const { user } = await send((call) =>
      codeOf(call) === undefined
        ? mfa('email')
        : { status: 409, body: { success: false, errors: [{ code: 'ODD', message: 'Name is taken', source: 'name' }] } },
    );
    await user.type(await screen.findByRole('textbox', { name: 'Code' }), '1{Enter}');
    await screen.findByText('Name is taken');
    const name = screen.getByRole('textbox', { name: 'Name' });
    expect(describedBy(name)).toBe('Name is taken');
    await waitFor(() => expect(document.activeElement).toBe(name));
  });
});

test('423 asks for the password above the form; a wrong one says so, the right one sends the same again [F6]', async () => {
  let isConfirmed = false;
  const { user, result } = await send(({ path, body }) => {
    if (path !== '/password-confirmation') return isConfirmed ? done : refuse(423, 'PASSWORD_REQUIRED', 'Confirm it is you.');
    isConfirmed = JSON.stringify(body) === '{"password":"right one"}';
    return isConfirmed
      ? done
      : { status: 422, body: { success: false, errors: [{ code: 'ODD', message: 'The password is wrong.', source: 'password' }] } };
  });
  await screen.findByRole('dialog', { name: 'Confirm your password' });
  const password = screen.getByLabelText('Password', { exact: false, selector: 'input' });
  await user.type(password, 'wrong{Enter}');
  await screen.findByText('The password is wrong.');
  await user.clear(password);
  await user.type(password, 'right one{Enter}');
  expect((await result)?.data).toEqual({ id: 7 });
  expect(server.calls.filter(({ path }) => path === '/things').map(({ body }) => body)).toEqual([{ name: 'Quay' }, { name: 'Quay' }]);
});

describe('what a success says', () => {
  test('is "{Item} created successfully" when the form has no words of its own', async () => {
    await send(
      () => done,
      makeForm({ ...base, submit: { method: 'POST', path: '/things', success: { then: 'close', reload: ['tags'] } } }),
    );
    expect(await screen.findByText('Tag created successfully')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Open' }), 'nobody knows the record').toBeNull();
  });

  test('leads to the record that was made', async () => {
    const pages: string[] = [];
    setNavigate((path) => pages.push(path));
    const person = { id: 1, permissions: ['view_tags'] };
    const { user } = await send(
      ({ method, path }) => (method === 'GET' && path === '/user' ? { body: { success: true, data: person } } : done),
      makeForm({ ...base, submit: { method: 'POST', path: '/tags', success: { then: 'close', reload: ['tags'] } } }),
      loadUser,
    );
    await user.click(await screen.findByRole('button', { name: 'Open' }));
    expect(pages).toEqual(['/tag/7']);
  });

  test('is the page of the record that was made, in place of the window of its job, where the form says so', async () => {
    const pages: string[] = [];
    setNavigate((path) => pages.push(path));
    const person = { id: 1, permissions: ['view_tags'] };
    const made = { body: { success: true, data: { id: 7 }, meta: { channel: 'job:9' } } };
    await send(
      ({ method, path }) => (method === 'GET' && path === '/user' ? { body: { success: true, data: person } } : made),
      makeForm({ ...base, submit: { method: 'POST', path: '/tags/special', success: { then: 'open', reload: ['tags'] } } }),
      loadUser,
    );
    await waitFor(() => expect(pages).toEqual(['/tag/7']));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('is shown by the job when there is one: the form closes, and what it changes is loaded again once the job is over', async () => {
    const quiet = makeForm({ ...base, submit: { method: 'POST', path: '/things', success: { message: { en: 'Not said' } } } });
    const { user, result } = await send(() => ({ body: { success: true, data: null, meta: { channel: 'jobs.12' } } }), quiet);
    expect((await result)?.meta.channel).toBe('jobs.12');
    await user.click(await screen.findByRole('button', { name: 'Job 12 is over' }));
    expect(opened).toContain(12);
    expect(screen.queryByText('Not said')).toBeNull();
  });

  test('leaves a form open that says so', async () => {
    await send(
      () => done,
      makeForm({ ...base, submit: { method: 'PUT', path: '/things', success: { message: { en: 'Kept' }, then: 'stay' } } }),
    );
    expect(await screen.findByText('Kept')).toBeTruthy();
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('Quay');
  });
});

test('a refusal without words says what failed and how [F3]', async () => {
  await send(
    () => ({ status: 500, body: { success: false } }),
    makeForm({ ...base, submit: { method: 'DELETE', path: '/things', success: { reload: ['tags'] } } }),
  );
  expect((await within(screen.getByRole('dialog')).findByRole('alert')).textContent).toBe('Failed to remove Tag (500)');
});

test('a fault in a file is shown with the name of the file, line and column [F9]', async () => {
  const item = (source: string) => ({ code: 'ODD', message: 'unknown key', source });
  await send(() => ({ status: 422, body: { success: false, errors: [item('specs/rut.json:12:5'), item('codes.csv:3')] } }));
  const alert = await within(screen.getByRole('dialog')).findByRole('alert');
  expect([...alert.querySelectorAll('p')].map((line) => line.textContent)).toEqual([
    'rut.json, line 12, column 5: unknown key',
    'codes.csv, line 3: unknown key',
  ]);
});

describe('a form with files [F9]', () => {
  const upload = makeForm({ ...base, submit: { method: 'POST', path: '/files', encoding: 'multipart', success: { reload: ['tags'] } } });

  test('is sent as parts: lists by index, an empty list as one part without a value, files by their bytes', async () => {
    const token = holdFile(new File(['{}'], 'api.json', { type: 'application/json' }));
    const parts = partsOf({ system: 'rutos', tag_id: [4, 5], none: [], overwrite: true, nothing: null, file: token, deep: { a: [1] } });
    expect([...parts].map(([name, value]) => [name, value instanceof File ? value.name : value])).toEqual([
      ['system', 'rutos'],
      ['tag_id[0]', '4'],
      ['tag_id[1]', '5'],
      ['none[]', ''],
      ['overwrite', 'true'],
      ['nothing', ''],
      ['file', 'api.json'],
      ['deep[a][0]', '1'],
    ]);
    await send(() => done, upload);
    expect(await screen.findByText('Tag uploaded successfully')).toBeTruthy();
    expect(server.calls[0]?.body).toContain('name="name"\r\n\r\nQuay');
  });

  test('shows how far it is, and the upload can be stopped, back to the entries', async () => {
    let open: (reply: Reply) => void = () => undefined;
    const { user, result } = await send(() => new Promise<Reply>((resolve) => (open = resolve)), upload);
    expect(await screen.findByRole('progressbar')).toBeTruthy();
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('button', { name: 'Cancel' }), 'one way to stop it').toBeNull();
    await user.click(screen.getByRole('button', { name: 'Cancel the upload' }));
    await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull());
    open(done);
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('Quay');
    await user.click(screen.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(server.calls).toHaveLength(2));
    open(done);
    expect((await result)?.data).toEqual({ id: 7 });
  });
});
