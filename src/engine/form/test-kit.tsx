import { createServer } from 'node:http';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect } from 'vitest';
import { compileValidator } from '../../../schemas/kit/codegen/compile-validator.ts';
import { RefineProviders } from '../data/RefineProviders.tsx';
import { queryClient } from '../../kernel/queries.ts';
import { startI18n } from '../../kernel/i18n/index.ts';
import { PressArea, Toasts } from '../../ui/index.ts';
import { DialogHost, closeAllDialogs, openDialog } from '../dialogs/index.ts';
import './index.ts';
import { startData, typedOf } from './prepare.ts';
import { withValidator } from './validators.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ReactNode } from 'react';
import { makeForm } from '../../../schemas/kit/form/test-form.ts';
export { makeForm };
import type { FormModule } from '../../../schemas/kit/form/form-validator.ts';
import type { Envelope, FormFile, JsonSchema, JsonValue } from '../../../schemas/kit/form/types.ts';
import type { FormData } from './prepare.ts';
import type { FormTarget, FormResult } from './submit.ts';

/** The form with its rules compiled as the build does it. */
export async function compileForm(form: FormFile): Promise<FormModule> {
  const { code } = compileValidator(form);
  const compiled: Omit<FormModule, 'form'> = await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`);
  return withValidator({ ...compiled, form });
}

export interface Received {
  method: string;
  path: string;
  query: Record<string, string>;
  body: unknown;
}
export type Answerer = (call: Received) => { status?: number; body: Envelope } | Promise<{ status?: number; body: Envelope }>;

export interface TestServer {
  calls: Received[];
  close(): Promise<void>;
}

/** A real HTTP server on a free port, which the page of this test is served from as far as the browser knows. */
export async function startTestServer(answer: Answerer): Promise<TestServer> {
  const calls: Received[] = [];
  const server = createServer((request, response) => void handle(request, response));

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // jsdom keeps the origin that its window was made with, so to it this is another one.
    const cors = {
      'access-control-allow-origin': request.headers.origin ?? '*',
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': request.headers['access-control-request-headers'] ?? '*',
      'access-control-allow-methods': 'GET, POST, PUT, DELETE',
    };
    if (request.method === 'OPTIONS') {
      response.writeHead(204, { ...cors, connection: 'close' }).end();
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const text = Buffer.concat(chunks).toString();
    const url = new URL(request.url ?? '/', 'http://test');
    const call = {
      method: request.method ?? 'GET',
      path: url.pathname.replace(/^\/api/, ''),
      query: Object.fromEntries(url.searchParams),
      body: text === '' ? undefined : request.headers['content-type']?.includes('json') ? JSON.parse(text) : text,
    };
    calls.push(call);
    const { status = 200, body } = await answer(call);
    response.writeHead(status, { ...cors, 'content-type': 'application/json', connection: 'close' }).end(JSON.stringify(body));
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  (globalThis as unknown as { jsdom: { reconfigure(to: { url: string }): void } }).jsdom.reconfigure({ url: `http://127.0.0.1:${port}/` });
  return {
    calls,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Draws a page inside the console's providers, with the dialog host and the toasts. */
export async function renderConsole(page: ReactNode, path = '/', route = '*'): Promise<{ router: ReturnType<typeof createMemoryRouter> }> {
  await startI18n('en');
  // As after loading the page.
  queryClient.clear();
  // jsdom hides popovers but cannot show them.
  document.head.append(Object.assign(document.createElement('style'), { textContent: '[popover] { display: block; }' }));
  const root = (
    <RefineProviders>
      <main>{page}</main>
      <DialogHost />
      <Toasts />
    </RefineProviders>
  );
  const router = createMemoryRouter(
    [
      { path: route, element: root },
      { path: '/start', element: <p>Where one came from</p> },
    ],
    { initialEntries: ['/start', path], initialIndex: 1 },
  );
  render(<RouterProvider router={router} />);
  return { router };
}

/** Opens a form in a dialog, as `openForm` does once it is loaded. */
export async function openTestForm(
  form: FormFile,
  options: { record?: FormData; target?: FormTarget } = {},
): Promise<{ user: ReturnType<typeof userEvent.setup>; result: Promise<FormResult | undefined> }> {
  const module = await compileForm(form);
  await renderConsole(<PressArea>Opener</PressArea>);
  const user = userEvent.setup();
  screen.getByRole('button', { name: 'Opener' }).focus();
  const { record, target = {} } = options;
  const result = openDialog('form', { module, start: startData(form, record), target, typed: typedOf(form, record) });
  await screen.findByRole('button', { name: 'Send' });
  return { user, result };
}

/** Opens a form of this schema; `sent` is what the server gets once it is sent. */
export async function openSchema(
  server: TestServer,
  schema: JsonSchema,
  { uiSchema = {}, record }: { uiSchema?: Record<string, JsonValue>; record?: Record<string, JsonValue> | undefined } = {},
) {
  const { user } = await openTestForm(makeForm({ schema, uiSchema }), record ? { record } : {});
  return {
    user,
    send: () => user.click(screen.getByRole('button', { name: 'Send' })),
    sent: () => waitFor(() => expect(server.calls.length).toBe(1)).then(() => server.calls[0]?.body),
  };
}

/** Ends what a test left open. */
export function closeEverything(): void {
  closeAllDialogs();
}

/** The field's error text by its accessible description. */
export function describedBy(element: HTMLElement): string {
  const ids = element.getAttribute('aria-describedby')?.split(' ') ?? [];
  return ids
    .map((id) => {
      const target = document.getElementById(id);
      expect(target, `aria-describedby names "${id}", which is not there`).not.toBeNull();
      return target?.textContent ?? '';
    })
    .join(' | ');
}
