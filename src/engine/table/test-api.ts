import type { IncomingMessage, ServerResponse } from 'node:http';
import type { View } from '../../../schemas/_generated/contract.ts';
import type { JsonValue } from '../../../schemas/kit/form/types.ts';
import type { Row } from '../resources/resource.ts';
import type { UserEvent } from '@testing-library/user-event';

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
    default_roles: [],
    query: 'status=0&sort=-name',
    columns: null,
    created_at: '2026-11-01 10:00:00',
    updated_at: '2026-11-01 10:00:00',
    ...parts,
  };
}

type State = Pick<World, 'rows' | 'queries' | 'failure' | 'gate' | 'storage' | 'views' | 'edit' | 'undone'>;

/** Answers a call of the console as the server does, from the state that a test has made. */
export async function answer(request: IncomingMessage, response: ServerResponse, state: State, user: object): Promise<void> {
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
  if (url.pathname === '/api/user') return void ok({ id: 1, company_id: 7, company_name: 'Nordic Fleet', ...user });
  if (url.pathname.startsWith('/api/storage')) {
    if (request.method === 'GET') return void ok([...state.storage].map(([key, value]) => ({ key, value })));
    const body = JSON.parse(text) as { key?: string; value: JsonValue };
    state.storage.set(body.key ?? decodeURIComponent(url.pathname.slice('/api/storage/'.length)), body.value);
    return void ok(null);
  }
  const edited = /^\/api\/devices\/(\d+)$/.exec(url.pathname)?.[1];
  if (edited !== undefined) {
    if (request.method === 'GET') return void ok(state.rows.find((row) => row.id === Number(edited)));
    await state.edit.gate;
    if (state.edit.failure) return void send(state.edit.failure.status, { success: false, errors: [state.edit.failure] });
    state.rows = state.rows.map((row) => (row.id === Number(edited) ? { ...row, ...(JSON.parse(text) as object) } : row));
    return void ok(null);
  }
  if (url.pathname === '/api/history/undo') {
    state.undone.push(JSON.parse(text));
    state.rows = makeRows(state.rows.length);
    return void ok([1]);
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

export interface World {
  rows: Row[];
  /** Every list call's query, newest last. */
  queries: Record<string, string>[];
  /** What the next answers are instead of rows. */
  failure: { status: number; code: string; message: string } | undefined;
  /** List answers wait for it. */
  gate: Promise<void> | undefined;
  /** What a device's edit waits for, and is refused with. */
  edit: { gate?: Promise<void>; failure?: World['failure'] };
  /** Bodies of calls that take something back. */
  undone: unknown[];
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
