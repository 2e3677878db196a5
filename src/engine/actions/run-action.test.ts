import { afterEach, expect, test } from 'vitest';
import type { ActionEntry } from '../../../schemas/kit/resources/resource-types.ts';
import { closeAllDialogs, registerDialog } from '../dialogs/index.ts';
import { getDialogs } from '../dialogs/index.ts';
import { registerCodeAction } from '../resources/registry.ts';
import type { ActionContext } from '../resources/registry.ts';
import type { Resource, Row } from '../resources/resource.ts';
import { selectAllMatching, selectRows } from '../table/selection.ts';
import { runAction } from './run-action.ts';
import type { ActionTarget } from './run-action.ts';

const resource: Resource = { name: 'devices', entity: 'device', titleField: 'name', routes: {}, permission: { list: 'view_devices' } };
const rows: Row[] = [
  { id: 1, name: 'Quay 4', status: 1 },
  { id: 2, name: 'Quay 5', status: 0 },
];
const reboot: ActionEntry = {
  id: 'devices.reboot',
  kind: 'job',
  job: 'reboot',
  risk: 'disruptive',
  on: ['row'],
  when: { field: 'status', in: [1] },
};
registerDialog('job.start', async () => ({ default: () => null }));
afterEach(closeAllDialogs);

/** Starts an action and answers what its dialog was given. */
function propsOf(action: ActionEntry, target: ActionTarget): unknown {
  void runAction({ action, resource, target, reload: () => undefined });
  return [...getDialogs().details.values()].at(-1)?.props;
}

test('a job on one record names it [B2]', () => {
  expect(propsOf(reboot, { kind: 'record', row: rows[0] ?? { id: 0 } })).toEqual({
    kind: 'reboot',
    risk: 'disruptive',
    selection: { device_id: [1] },
    count: 1,
    name: 'Quay 4',
  });
});

test('a job on a selection is for all chosen, because its preview distinguishes who will be skipped [B1]', () => {
  expect(propsOf(reboot, { kind: 'selection', selection: selectRows(rows) })).toMatchObject({
    selection: { device_id: [1, 2] },
    count: 2,
  });
});

test('a job on everything that matches takes the query and the count [T5]', () => {
  expect(propsOf(reboot, { kind: 'selection', selection: selectAllMatching({ status: 'online' }, 900) })).toMatchObject({
    selection: { selection: { query: { status: 'online' }, count: 900 } },
    count: 900,
  });
});

test('a code action gets its records and is done when its code is', async () => {
  const seen: ActionContext[] = [];
  registerCodeAction('test.open', async () => (context) => void seen.push(context));
  const open: ActionEntry = { id: 'devices.open', kind: 'code', run: 'test.open', on: ['row'] };
  expect(await runAction({ action: open, resource, target: { kind: 'record', row: rows[1] ?? { id: 0 } }, reload: () => undefined })).toBe(
    true,
  );
  expect(seen[0]?.rows).toEqual([rows[1]]);
});

test('a job that was not started changed nothing', async () => {
  let reloads = 0;
  const running = runAction({
    action: reboot,
    resource,
    target: { kind: 'record', row: rows[0] ?? { id: 0 } },
    reload: () => (reloads += 1),
  });
  closeAllDialogs();
  expect([await running, reloads]).toEqual([false, 0]);
});
