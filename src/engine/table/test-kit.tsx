import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Refine } from '@refinedev/core';
import type { DataProvider } from '@refinedev/core';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { UserEvent } from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { Server } from 'socket.io';
import { api } from '../../kernel/http/index.ts';
import { startI18n } from '../../kernel/i18n/index.ts';
import { loadUser, markAuthenticated } from '../../kernel/session/index.ts';
import { settings } from '../../kernel/settings/index.ts';
import { live } from '../../kernel/socket/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Toasts } from '../../ui/Toasts.tsx';
import type { View } from '../../../schemas/_generated/contract.ts';
import type { JsonValue } from '../../../schemas/kit/types.ts';
import { closeAllDialogs, DialogHost } from '../dialogs/index.ts';
import { listCall } from '../resources/list-call.ts';
import type { Resource, Row } from '../resources/resource.ts';
import { callOfAddress } from './list-params.ts';
import ResourceListPage from './ResourceListPage.tsx';
import { forgetViews } from './views/views-store.ts';

// jsdom hides what is a popover and cannot show it.
HTMLElement.prototype.showPopover = function showPopover() {
  this.removeAttribute('popover');
};

// The console's live socket keeps the address that it was made with, so the servers of one test file share a port.
let port = 0;

/** A list with one of each thing that the engine draws; `gadgets` so that nothing of the real rooms is in the way. */
export const gadgets: Resource = {
  name: 'gadgets',
  entity: 'device',
  titleField: 'name',
  routes: { list: '/gadgets', show: '/gadgets/:id' },
  permission: { list: 'view_devices' },
  search: { order: 1, fields: ['name', 'serial'] },
  export: { csv: '/gadgets/export/csv' },
  table: {
    defaultSort: { key: 'name', order: 'asc' },
    pageSize: 10,
    columns: [
      { key: 'status', sortable: true, width: 100, cell: 'enum' },
      { key: 'name', sortable: true, primary: true },
      { key: 'firmware', sortable: true },
      { key: 'serial', cell: 'code', optional: true },
      { key: 'created_at', sortable: true },
    ],
    filters: [
      { key: 'status', kind: 'enum', values: [0, 1, 2], negatable: true },
      { key: 'firmware', kind: 'text', negatable: true },
      { key: 'is_simulated', kind: 'boolean' },
    ],
  },
  actions: [
    { id: 'devices.add', kind: 'form', form: 'devices/add', on: ['header'], primary: true, permission: 'create_devices' },
    { id: 'devices.edit', kind: 'form', form: 'devices/edit', on: ['row'] },
    {
      id: 'devices.reboot',
      kind: 'job',
      job: 'reboot',
      risk: 'disruptive',
      on: ['row', 'bulk'],
      danger: true,
      permission: 'execute_device_actions',
      when: { field: 'status', in: [1] },
    },
  ],
  live: {
    channel: 'companies.{company_id}.gadgets',
    events: { GadgetChanged: 'patch-row', GadgetAdded: 'reload', GadgetRemoved: 'reload' },
  },
};

/** Records of `gadgets` with rising numbers; every third is offline. */
export function makeRows(count: number): Row[] {
  return Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    name: `Gadget ${String(index + 1).padStart(3, '0')}`,
    status: index % 3 === 0 ? 0 : 1,
    firmware: index % 2 === 0 ? '07.14.2' : '07.10.1',
    serial: `110${index}`,
    created_at: `2026-11-${String((index % 28) + 1).padStart(2, '0')} 10:00:00`,
    is_simulated: false,
  }));
}

/** A saved view of `gadgets`. */
export function makeView(parts: Partial<View>): View {
  return {
    id: 1,
    resource: 'gadgets',
    name: 'Offline ones',
    share: 'private',
    company_id: 7,
    user_name: 'Ada',
    is_own: true,
    can_edit: true,
    query: 'status=0&sort=-name',
    columns: null,
    created_at: '2026-11-01 10:00:00',
    updated_at: '2026-11-01 10:00:00',
    ...parts,
  };
}

export interface World {
  rows: Row[];
  /** Every list call's query, newest last. */
  queries: Record<string, string>[];
  /** What the next answers are instead of rows. */
  failure: { status: number; code: string; message: string } | undefined;
  /** List answers wait for it. */
  gate: Promise<void> | undefined;
  /** The user's settings on the server. */
  storage: Map<string, JsonValue>;
  /** The saved views on the server. */
  views: View[];
  user: UserEvent;
  /** The present address of the page. */
  address(): string;
  go(to: string | number): Promise<void>;
  /** Sends a live event to the company's channel. */
  tell(event: string, payload: JsonValue): void;
  /** Resolves when the page follows its live channel and has asked again for what may have happened before. */
  followed(): Promise<void>;
  close(): Promise<void>;
}

interface OpenOptions {
  rows?: Row[];
  path?: string;
  permissions?: string[];
  resource?: Resource;
  failure?: World['failure'];
  gate?: World['gate'];
  storage?: [string, JsonValue][];
  views?: View[];
  /** The rows are there before the page is made. */
  isAskedAhead?: boolean;
}

/** The list page in the console's providers, against a real HTTP and Socket.IO server on a free port. */
export async function openList(options: OpenOptions = {}): Promise<World> {
  const resource = options.resource ?? gadgets;
  const state = {
    rows: options.rows ?? makeRows(25),
    queries: new Array<Record<string, string>>(),
    failure: options.failure,
    gate: options.gate,
    storage: new Map(options.storage ?? []),
    views: options.views ?? [],
  };
  const permissions = options.permissions ?? ['view_devices', 'create_devices', 'execute_device_actions'];
  const server = createServer((request, response) => void answer(request, response, state, permissions));
  const io = new Server(server, { path: '/status/socket.io', transports: ['websocket'], cors: { origin: true, credentials: true } });
  const subscriptions = new Set<string>();
  io.on('connection', (socket) => {
    socket.on('subscribe', (name: string) => {
      void socket.join(name);
      subscriptions.add(name);
      socket.emit('subscribed', name);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
  const world = globalThis as unknown as { jsdom: { reconfigure(to: { url: string }): void } };
  world.jsdom.reconfigure({ url: `http://127.0.0.1:${port}/` });

  forgetViews();
  await startI18n('en');
  await loadUser();
  await settings.load();
  markAuthenticated();
  if (options.isAskedAhead) {
    const { path, query } = callOfAddress(resource, new URLSearchParams());
    await api.ahead(path, query);
  }
  const page = (
    <Refine dataProvider={provider} options={{ disableTelemetry: true, warnWhenUnsavedChanges: false }}>
      <main>
        <ResourceListPage resource={resource} />
      </main>
      <DialogHost />
      <Toasts />
    </Refine>
  );
  const router = createMemoryRouter([{ path: '*', element: page }], { initialEntries: [options.path ?? '/gadgets'] });
  render(<RouterProvider router={router} />);
  const channel = `companies.7.${resource.name}`;
  return Object.assign(state, {
    user: userEvent.setup(),
    address: () => router.state.location.pathname + router.state.location.search,
    go: (to: string | number) => act(async () => void (await (typeof to === 'number' ? router.navigate(to) : router.navigate(to)))),
    tell: (event: string, payload: JsonValue) => void io.to(channel).emit(event, channel, payload),
    followed: () =>
      waitFor(() => {
        if (!subscriptions.has(channel)) fail(`Nobody follows ${channel}`);
        if (state.queries.length < 2) fail('The rows of before the subscription were not loaded again');
      }),
    close: async () => {
      closeAllDialogs();
      toasts.clear();
      live.close();
      await io.close();
      server.closeAllConnections();
    },
  });
}

function fail(message: string): never {
  throw new Error(message);
}

/** The names in the order that they stand on screen. */
export function shownNames(): string[] {
  return screen.queryAllByRole('rowheader').map((header) => header.textContent);
}

const provider: DataProvider = {
  getApiUrl: () => '/api',
  async getList({ resource, ...params }) {
    const { path, query } = listCall(`/${resource}`, params);
    const { data, meta } = await api.get<never[]>(path, { query });
    return { data, total: meta.total ?? 0 };
  },
  getOne: () => Promise.reject(new Error('Not asked for')),
  create: () => Promise.reject(new Error('Not asked for')),
  update: () => Promise.reject(new Error('Not asked for')),
  deleteOne: () => Promise.reject(new Error('Not asked for')),
};

type State = Pick<World, 'rows' | 'queries' | 'failure' | 'gate' | 'storage' | 'views'>;

async function answer(request: IncomingMessage, response: ServerResponse, state: State, permissions: string[]): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://test');
  if (url.pathname.startsWith('/status/')) return;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const text = Buffer.concat(chunks).toString();
  const send = (status: number, body: unknown) =>
    response
      .writeHead(status, {
        // jsdom keeps the origin that its window was made with, so to it this is another one.
        'access-control-allow-origin': request.headers.origin ?? '*',
        'access-control-allow-credentials': 'true',
        'access-control-allow-headers': request.headers['access-control-request-headers'] ?? '*',
        'access-control-allow-methods': 'GET, POST, PUT, DELETE',
        'access-control-expose-headers': 'x-request-id, content-disposition',
        'x-request-id': 'req-42',
        'content-type': 'application/json',
        connection: 'close',
      })
      .end(JSON.stringify(body));
  const ok = (data: unknown, meta: object = {}) => send(200, { success: true, data, meta });
  if (request.method === 'OPTIONS') return void send(204, undefined);
  if (url.pathname === '/api/user') return void ok({ id: 1, company_id: 7, company_name: 'Nordic Fleet', permissions });
  if (url.pathname.startsWith('/api/storage')) {
    if (request.method === 'GET') return void ok([...state.storage].map(([key, value]) => ({ key, value })));
    const body = JSON.parse(text) as { key?: string; value: JsonValue };
    state.storage.set(body.key ?? decodeURIComponent(url.pathname.slice('/api/storage/'.length)), body.value);
    return void ok(null);
  }
  if (url.pathname.startsWith('/api/views')) {
    const body = JSON.parse(text || '{}') as Partial<View>;
    const id = Number(url.pathname.slice('/api/views/'.length));
    if (request.method === 'POST') {
      const view = makeView({ ...body, id: 100 + state.views.length });
      state.views = [...state.views, view];
      return void send(201, { success: true, data: { id: view.id } });
    }
    if (request.method === 'PUT') state.views = state.views.map((view) => (view.id === id ? { ...view, ...body } : view));
    if (request.method === 'DELETE') state.views = state.views.filter((view) => view.id !== id);
    return void ok(state.views, { total: state.views.length });
  }
  if (url.pathname.endsWith('/export/csv')) {
    state.queries.push(Object.fromEntries(url.searchParams));
    return void ok('csv');
  }
  state.queries.push(Object.fromEntries(url.searchParams));
  await state.gate;
  if (state.failure) {
    const { status, ...item } = state.failure;
    return void send(status, { success: false, errors: [item] });
  }
  const found = listRows(state.rows, url.searchParams);
  const offset = Number(url.searchParams.get('offset'));
  ok(found.slice(offset, offset + Number(url.searchParams.get('limit'))), { total: found.length });
}

function listRows(rows: readonly Row[], params: URLSearchParams): Row[] {
  const found = rows.filter((row) =>
    [...params].every(([name, value]) => {
      if (['limit', 'offset', 'sort'].includes(name)) return true;
      if (name === 'q') return String(row['name']).toLowerCase().includes(value.toLowerCase());
      const isListed = value.split(',').includes(String(row[name.replace('ne:', '')]));
      return name.startsWith('ne:') ? !isListed : isListed;
    }),
  );
  const sort = params.get('sort') ?? 'id';
  const key = sort.replace('-', '');
  const sorted = found.toSorted((a, b) => String(a[key]).localeCompare(String(b[key]), 'en', { numeric: true }) || a.id - b.id);
  return sort.startsWith('-') ? sorted.toReversed() : sorted;
}
