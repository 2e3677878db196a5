import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { resources } from '../../resources.config.ts';
import type { ResourceEntry } from '../../schemas/kit/resources/resource-types.ts';
import { permissionNames } from '../../schemas/_generated/contract.ts';
import { checkResources } from '../../schemas/kit/resources/check-resources.ts';
import { loadContract } from '../../schemas/kit/codegen/load.ts';

const contract = loadContract();

function iconNames(): string[] {
  const folder = join(dirname(createRequire(import.meta.url).resolve('lucide-react')), '..', 'esm', 'icons');
  return readdirSync(folder)
    .filter((name) => /^[a-z0-9-]+\.m?js$/.test(name))
    .map((name) => name.replace(/\.m?js$/, ''));
}

test('the resource list names only what the contract has', () => {
  const problems = checkResources(resources, {
    entities: contract.entities,
    forms: Object.keys(contract.forms),
    permissions: permissionNames,
    lookups: Object.keys(contract.lookups.lookups),
    help: Object.keys(contract.help.help),
    events: Object.keys(contract.events.events),
    icons: iconNames(),
    jobs: [
      'reboot',
      'run',
      'refresh',
      'move',
      'remove',
      'execute_tasks_group',
      'apply_template',
      'credit',
      'monitoring',
      'report',
      'capture',
      'speed_test',
      'test_endpoint',
      'monitoring_periods',
      'create_alerts',
      'form',
      'update_firmware',
      'set_passwords',
      'upload_backup',
      'download_backup',
      'download_troubleshoot',
      'download_eventslog',
      'remote_scan',
    ],
  });
  expect(problems).toEqual([]);
});

describe.each(resources.map((entry: ResourceEntry) => ({ name: entry.name, entry })))('the resource $name', ({ entry }) => {
  test('asks for the right that its form asks for', () => {
    const differing = (entry.actions ?? []).flatMap((action) => {
      const permission = 'form' in action && action.form ? contract.forms[action.form]?.permission : undefined;
      const asked = action.permission ?? 'signed-in';
      return permission === undefined || permission === asked ? [] : [`${action.id}: ${asked}, its form: ${permission}`];
    });
    expect(differing).toEqual([]);
  });

  test('lives on a channel that exists, for people who may see its list', () => {
    const { live } = entry;
    if (!live) return;
    const channel = contract.events.channels[live.channel];
    expect(channel?.permission).toBe(entry.permission.list ?? 'public');
    for (const event of Object.keys(live.events)) expect(contract.events.events[event]?.channel).toBe(live.channel);
  });

  test('has a form for nothing that acts on devices without choosing devices', () => {
    const wrong = (entry.actions ?? []).filter((action) => {
      if (!('form' in action) || !action.form || !action.on.some((place) => place === 'bulk')) return false;
      return contract.forms[action.form]?.submit.payload !== 'devices';
    });
    expect(wrong).toEqual([]);
  });
});

/** What code fills in from the record that it has already. */
const FILLED_BY_CODE = ['views/edit'];

test('a form that edits a record is filled with what the record has', () => {
  const empty = Object.entries(contract.forms).filter(
    ([id, { load, submit }]) => id.endsWith('/edit') && submit.method === 'PUT' && submit.path.includes('{id}') && load === undefined,
  );
  expect(empty.map(([id]) => id)).toEqual(FILLED_BY_CODE);
});

test('every built-in role that may change something may see it', () => {
  const holders = (name: string): string[] => contract.permissions.permissions.find((permission) => permission.name === name)?.roles ?? [];
  const blind = permissionNames.flatMap((name) => {
    const viewers = holders(name.replace(/^(?:create|update|delete|move)_/, 'view_'));
    return viewers.length === 0
      ? []
      : holders(name)
          .filter((role) => !viewers.includes(role))
          .map((role) => `${role}: ${name}`);
  });
  expect(blind).toEqual([]);
});

test('a lookup that creates what is missing names a form, its permission and one of its fields', () => {
  const wrong = Object.entries(contract.lookups.lookups).filter(([, { create }]) => {
    if (!create) return false;
    const form = contract.forms[create.form];
    return form?.permission !== create.permission || !form.schema.properties?.[create.field];
  });
  expect(wrong).toEqual([]);
});
