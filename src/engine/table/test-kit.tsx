import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { Server } from 'socket.io';
import { startI18n } from '../../kernel/i18n/index.ts';
import { loadUser, markAuthenticated } from '../../kernel/session/index.ts';
import { settings } from '../../kernel/settings/index.ts';
import { live } from '../../kernel/socket/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Toasts } from '../../ui/index.ts';
import type { View } from '../../../schemas/_generated/contract.ts';
import type { JsonValue } from '../../../schemas/kit/form/types.ts';
import { RefineProviders } from '../data/RefineProviders.tsx';
import { closeAllDialogs, DialogHost } from '../dialogs/index.ts';
import type { Resource, Row } from '../resources/resource.ts';
import { readListState } from './list-state.ts';
import { readKept } from './stored-setting.ts';
import { answer, makeRows, type World } from './test-api.ts';
import ResourceListPage from './ResourceListPage.tsx';
import { prefetchRows } from './use-rows.ts';
import { forgetViews } from './views/views-store.ts';

const OWN_SETTINGS = ['table.gadgets', 'table.gadgets.unsaved'];

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
      { key: 'created_at', sortable: true, headsDays: true },
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

interface OpenOptions {
  rows?: Row[];
  path?: string;
  permissions?: string[];
  /** The views that lists open with for the user's role. */
  defaultViews?: Record<string, number>;
  scope?: 'all' | 'tree' | 'company';
  level?: number;
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
    edit: {},
    undone: new Array<unknown>(),
  };
  const permissions = options.permissions ?? ['view_devices', 'create_devices', 'execute_device_actions'];
  const user = { permissions, default_views: options.defaultViews, scope: options.scope ?? 'tree', company: { level: options.level ?? 1 } };
  const server = createServer((request, response) => void answer(request, response, state, user));
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
  if (options.isAskedAhead) await prefetchRows(resource, readListState(new URLSearchParams(), resource));
  const page = (
    <RefineProviders>
      <main>
        <ResourceListPage resource={resource} />
      </main>
      <DialogHost />
      <Toasts />
    </RefineProviders>
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
      // A choice that is still on its way would be the next list's.
      await waitFor(() => OWN_SETTINGS.every((key) => readKept(key) === settings.get(key)) || fail('Settings are still on their way'));
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

/** The names in the order that they are on screen. */
export function shownNames(): string[] {
  return screen.queryAllByRole('rowheader').map((header) => header.textContent);
}
