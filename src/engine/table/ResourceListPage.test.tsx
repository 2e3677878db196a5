import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { network } from '../../kernel/network.ts';
import { currentTimezone } from '../../kernel/time/index.ts';
import { chooseOption } from '../../ui/test-kit.ts';
import { makeRows, type World } from './test-api.ts';
import { openList, shownNames } from './test-kit.tsx';

let world: World;
afterEach(() => world.close());

const firstRow = () => screen.findByRole('link', { name: 'Gadget 001' });
const lastQuery = () => world.queries.at(-1);
const button = (name: string | RegExp) => screen.getByRole('button', { name });

describe('the states of a list [T7]', () => {
  test('the first load shows place-holders, then the rows', async () => {
    let open = () => {};
    world = await openList({ gate: new Promise((resolve) => (open = resolve)) });
    expect(screen.getByRole('table').getAttribute('aria-busy')).toBe('true');
    expect(shownNames()).toEqual([]);
    open();
    await firstRow();
    expect(shownNames()).toHaveLength(10);
    expect(screen.getByRole('heading', { level: 1 }).parentElement?.textContent).toContain('25 in Nordic Fleet');
  });

  test('rows that are there already are drawn at once, and asked for no second time', async () => {
    world = await openList({ isAskedAhead: true });
    expect(shownNames()).toHaveLength(10);
    expect(world.queries).toHaveLength(1);
  });

  test.each([
    ['tree', 1, '25 in Nordic Fleet and companies below'],
    ['company', 1, '25 in Nordic Fleet'],
    ['tree', 3, '25 in Nordic Fleet'],
    ['all', 1, '25 in all companies'],
  ] as const)('the head speaks of companies below to those who see any (%s, level %s)', async (scope, level, expected) => {
    world = await openList({ permissions: ['view_devices', 'view_companies'], scope, level });
    await firstRow();
    expect(screen.getByRole('heading', { level: 1 }).parentElement?.textContent).toMatch(new RegExp(`${expected}$`));
  });

  test('a reload keeps the old rows and says that it is busy', async () => {
    world = await openList();
    await firstRow();
    let open = () => {};
    world.gate = new Promise((resolve) => (open = resolve));
    await world.user.click(button('Next page'));
    await waitFor(() => expect(screen.getByRole('table').getAttribute('aria-busy')).toBe('true'));
    expect(shownNames()[0]).toBe('Gadget 001');
    open();
    await waitFor(() => expect(shownNames()[0]).toBe('Gadget 011'));
  });

  test('a list with nothing in it offers the primary action', async () => {
    world = await openList({ rows: [] });
    const state = (await screen.findByText('Nothing here yet')).closest<HTMLElement>('.ant-empty');
    expect(state && within(state).getByRole('button', { name: 'Add device' })).toBeTruthy();
    expect(screen.queryByRole('table')).toBeNull();
  });

  test('a list with nothing in it offers nothing to those who may not make a record, and says whom to ask', async () => {
    world = await openList({ rows: [], permissions: ['view_devices'] });
    await screen.findByText('Nothing here yet');
    expect(screen.getByText(/Your role cannot add any\. Ask an administrator\./)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Add device' })).toBeNull();
  });

  test('a list that is empty because of its filters offers to clear them', async () => {
    world = await openList({ path: '/gadgets?firmware=none&q=zzz' });
    await screen.findByText('Nothing matches');
    await world.user.click(button('Clear filters'));
    await firstRow();
    expect(world.address()).toBe('/gadgets');
  });

  test('a failure shows what happened, the number of the request, and tries again', async () => {
    world = await openList({ failure: { status: 500, code: 'ODD', message: 'The disk is full.' } });
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('The disk is full.');
    expect(alert.textContent).toContain('req-42');
    world.failure = undefined;
    await world.user.click(within(alert).getByRole('button', { name: 'Try again' }));
    await firstRow();
  });

  test('a failed reload keeps the rows and says from when they are', async () => {
    world = await openList();
    await firstRow();
    world.failure = { status: 503, code: 'ODD', message: 'Busy.' };
    await world.user.click(button('Refresh now'));
    expect((await screen.findByRole('alert')).textContent).toMatch(/Could not be refreshed\. Data from \d\d:\d\d:\d\d.*req-42/);
    expect(shownNames()).toHaveLength(10);
  });

  test('without the permission nothing is asked for', async () => {
    world = await openList({ permissions: [] });
    await screen.findByText('No access');
    expect(world.queries).toEqual([]);
  });

  test('a refusal by the server reads as no permission, too', async () => {
    world = await openList({ failure: { status: 403, code: 'FORBIDDEN', message: 'No.' } });
    await screen.findByText('No access');
  });

  test('without a network the rows stay, with their time', async () => {
    world = await openList();
    await firstRow();
    act(() => network.reportSilence());
    expect((await screen.findByText(/No connection to the server\. Data from/)).textContent).toMatch(/\d\d:\d\d:\d\d/);
    expect(shownNames()).toHaveLength(10);
    act(() => network.reportAnswer());
  });
});

describe('the address [T1]', () => {
  test('filters, order, page and size of the address make the call, with their types', async () => {
    world = await openList({ path: '/gadgets?status=1&ne:firmware=07.14.2&sort=-created_at&page=1&size=25' });
    await screen.findAllByRole('rowheader');
    expect(lastQuery()).toEqual({ limit: '25', offset: '0', sort: '-created_at', status: '1', 'ne:firmware': '07.14.2' });
    expect(button(/Status Online/)).toBeTruthy();
    expect(button(/Firmware is not 07\.14\.2/)).toBeTruthy();
  });

  test('back and forward bring former lists again', async () => {
    world = await openList();
    await firstRow();
    await world.user.click(button('Next page'));
    await waitFor(() => expect(shownNames()[0]).toBe('Gadget 011'));
    expect(world.address()).toBe('/gadgets?page=2');
    await world.go(-1);
    await waitFor(() => expect(shownNames()[0]).toBe('Gadget 001'));
    await world.go(1);
    await waitFor(() => expect(shownNames()[0]).toBe('Gadget 011'));
  });

  test('a change of the list leaves parameters of others in the address', async () => {
    world = await openList({ path: '/gadgets?from=mail&page=2' });
    await screen.findAllByRole('rowheader');
    await chooseOption(world.user, screen.getByRole('combobox', { name: 'Rows per page' }), /^25/);
    expect(world.address()).toBe('/gadgets?size=25&from=mail');
  });

  test('a page beyond the last one goes to the last one', async () => {
    world = await openList({ path: '/gadgets?page=9' });
    await waitFor(() => expect(shownNames()).toHaveLength(5));
    expect(world.address()).toBe('/gadgets?page=3');
  });
});

describe('order, search and filters', () => {
  test('in the order of a date each day has a heading, in another order none', async () => {
    const rows = makeRows(4).map((row, index) => ({ ...row, created_at: `2026-11-2${index % 2} 10:0${index}:00` }));
    world = await openList({ path: '/gadgets?sort=-created_at', rows });
    await firstRow();
    const lines = screen.getAllByRole('row').map((row) => /2026-11-2\d$/.exec(row.textContent ?? '')?.input ?? '–');
    expect(lines).toEqual(['–', 'Saturday 2026-11-21', '–', '–', 'Friday 2026-11-20', '–', '–']);
    await world.user.click(within(screen.getByRole('columnheader', { name: 'Name' })).getByRole('button'));
    await waitFor(() => expect(screen.queryByText('Saturday 2026-11-21')).toBeNull());
  });

  test('a click on a row opens its record, one beside its checkbox does not', async () => {
    world = await openList();
    await firstRow();
    const cells = within(screen.getAllByRole('row')[2] as HTMLElement).getAllByRole('cell');
    await world.user.click(cells[0] as HTMLElement);
    expect(world.address()).toBe('/gadgets');
    await world.user.click(cells[1] as HTMLElement);
    expect(world.address()).toBe('/gadgets/2');
  });

  test('a column head sorts, turns around, and says so', async () => {
    world = await openList();
    await firstRow();
    const head = (name: string) => screen.getByRole('columnheader', { name });
    expect(head('Name').getAttribute('aria-sort')).toBe('ascending');
    await world.user.click(within(head('Name')).getByRole('button'));
    await waitFor(() => expect(shownNames()[0]).toBe('Gadget 025'));
    expect(head('Name').getAttribute('aria-sort')).toBe('descending');
    await world.user.click(within(head('Firmware')).getByRole('button'));
    await waitFor(() => expect(lastQuery()?.['sort']).toBe('firmware'));
    expect(head('Name').getAttribute('aria-sort')).toBeNull();
    expect(within(screen.getByRole('table')).queryByRole('button', { name: 'Serial number' })).toBeNull();
  });

  test('search waits for a pause, then asks once', async () => {
    world = await openList();
    await firstRow();
    await world.followed();
    const before = world.queries.length;
    await world.user.type(screen.getByRole('searchbox', { name: 'Name, Serial number' }), 'gadget 02');
    await waitFor(() => expect(shownNames()).toHaveLength(6));
    expect(world.queries.slice(before).map((query) => query['q'])).toEqual(['gadget 02']);
    expect(world.address()).toBe('/gadgets?q=gadget+02');
  });

  test('a filter is chosen, turned into its opposite, and taken away', async () => {
    world = await openList();
    await firstRow();
    await world.user.click(button('Status any'));
    const editor = await screen.findByRole('dialog', { name: 'Filter: Status' });
    await world.user.click(await within(editor).findByRole('checkbox', { name: 'Offline' }));
    await waitFor(() => expect(world.address()).toBe('/gadgets?status=0'));
    await world.user.click(await screen.findByRole('radio', { name: 'is not' }));
    await waitFor(() => expect(world.address()).toBe('/gadgets?ne:status=0'));
    await waitFor(() => expect(shownNames()[0]).toBe('Gadget 002'));
    await world.user.keyboard('{Escape}');
    expect(button(/Status is not Offline/)).toBeTruthy();
    await world.user.click(button('Remove filter Status'));
    await waitFor(() => expect(world.address()).toBe('/gadgets'));
  });

  test('another filter is added from the menu, and all are cleared at once', async () => {
    world = await openList({ path: '/gadgets?status=1' });
    await screen.findAllByRole('rowheader');
    await world.user.click(button('Filter'));
    await world.user.click(screen.getByRole('menuitem', { name: 'Firmware' }));
    const input = await screen.findByRole('textbox', { name: 'Firmware' });
    await world.user.type(input, '07.10.1{Enter}');
    await waitFor(() => expect(world.address()).toBe('/gadgets?status=1&firmware=07.10.1'));
    await world.user.click(button('Clear all'));
    await waitFor(() => expect(world.address()).toBe('/gadgets'));
  });
});

test('the export asks for what is on screen: the filters and the columns [T10]', async () => {
  URL.createObjectURL = () => 'blob:test';
  URL.revokeObjectURL = () => undefined;
  world = await openList({ path: '/gadgets?status=1&page=2' });
  await screen.findAllByRole('rowheader');
  let name = '';
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    name = this.download;
  });
  await world.user.click(button('Export'));
  await world.user.click(await screen.findByRole('menuitem', { name: 'Excel workbook' }));
  const asked = { status: '1', fields: 'status,name,firmware,created_at', timezone: currentTimezone() };
  await waitFor(() => expect(lastQuery()).toEqual({ ...asked, format: 'xlsx' }));
  await waitFor(() => expect(name).toMatch(/^resources\.gadgets\.title - \d{4}-\d\d-\d\d\.xlsx$/));
  await world.user.click(screen.getByRole('checkbox', { name: 'Select Gadget 017' }));
  await world.user.click(button('Export'));
  const menu = await screen.findByRole('menu', { name: 'Export' });
  expect(within(menu).getByText('1 selected')).toBeTruthy();
  await world.user.click(within(menu).getAllByRole('menuitem', { name: 'JSON' })[0] ?? menu);
  await waitFor(() => expect(lastQuery()).toEqual({ ...asked, format: 'json', id: '17' }));
});

test('the region that scrolls can be focused and is named [T4]', async () => {
  world = await openList();
  await firstRow();
  const region = within(screen.getByRole('main')).getAllByRole('region', { name: 'resources.gadgets.title' });
  expect(region.some((element) => element.tabIndex === 0)).toBe(true);
});

test('no more than a hundred rows are on a page [T12]', async () => {
  world = await openList({ rows: makeRows(300), path: '/gadgets?size=5000' });
  await firstRow();
  expect(shownNames()).toHaveLength(10);
});
