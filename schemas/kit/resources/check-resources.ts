import { didYouMean } from '../lint/nearest.ts';
import type { ActionEntry, ColumnEntry, FilterEntry, ResourceEntry } from './resource-types.ts';
import type { EntityFile } from '../form/types.ts';

/** The names that entries may use; a list that is not given is not checked. */
export interface ResourceRegistries {
  cells?: Iterable<string>;
  codes?: Iterable<string>;
  strips?: Iterable<string>;
  icons?: Iterable<string>;
  jobs?: Iterable<string>;
  forms?: Iterable<string>;
  permissions?: Iterable<string>;
  lookups?: Iterable<string>;
  help?: Iterable<string>;
  events?: Iterable<string>;
  entities?: Readonly<Record<string, EntityFile>>;
}

/** An entry as it is read here: keys are plain strings, so that data which no compiler saw is checked too. */
export type ResourceLike = Omit<ResourceEntry, 'table' | 'actions' | 'entity' | 'titleField' | 'search' | 'permission' | 'live'> & {
  entity: string;
  titleField: string;
  permission: { list?: string; show?: string };
  search?: { order: number; fields: readonly string[] };
  table?: {
    defaultSort: { key: string; order: 'asc' | 'desc' };
    columns: readonly ColumnEntry[];
    filters: readonly FilterEntry[];
    strip?: string;
    pageSize?: number;
  };
  actions?: readonly ActionEntry[];
  live?: { channel: string; events: Readonly<Record<string, string>> };
};

type Report = (place: string, message: string) => void;

function makeNamed(report: Report) {
  return (place: string, what: string, name: string | undefined, known: Iterable<string> | undefined): void => {
    if (name === undefined || known === undefined) return;
    const names = new Set(known);
    if (!names.has(name)) report(place, `no ${what} named "${name}".${didYouMean(name, names)}`);
  };
}
type Named = ReturnType<typeof makeNamed>;

function checkRepeats(report: Report, what: string, values: readonly (readonly [place: string, value: string])[]): void {
  const seen = new Map<string, string>();
  for (const [place, value] of values) {
    const first = seen.get(value);
    if (first === undefined) seen.set(value, place);
    else report(place, `the ${what} "${value}" is taken already, by ${first}.`);
  }
}

function checkTable(
  entry: ResourceLike,
  named: Named,
  registries: ResourceRegistries,
  fields: readonly string[] | undefined,
  report: Report,
): void {
  const { table, name } = entry;
  if (!table) return;
  named(`${name}.table.strip`, 'strip', table.strip, registries.strips);
  named(`${name}.table.defaultSort.key`, 'field', table.defaultSort.key, fields);
  const at = (index: number): string => `${name}.table.columns[${index}]`;
  table.columns.forEach((column, index) => {
    named(`${at(index)}.key`, 'field', column.key, fields);
    named(`${at(index)}.cell`, 'cell', column.cell, registries.cells);
    named(`${at(index)}.permission`, 'permission', column.permission, registries.permissions);
  });
  checkRepeats(
    report,
    'column',
    table.columns.map(({ key }, index) => [`${at(index)}.key`, key]),
  );
  if (table.columns.filter((column) => column.primary).length !== 1)
    report(`${name}.table.columns`, 'exactly one column must be primary: it names the row.');
  table.filters.forEach((filter, index) => {
    if (filter.kind === 'lookup') named(`${name}.table.filters[${index}].lookup`, 'lookup', filter.lookup, registries.lookups);
    if (filter.kind === 'enum' && filter.values.length === 0)
      report(`${name}.table.filters[${index}].values`, 'there is nothing to choose from.');
  });
  checkRepeats(
    report,
    'filter',
    table.filters.map(({ key }, index) => [`${name}.table.filters[${index}].key`, key]),
  );
}

function checkActions(
  entry: ResourceLike,
  named: Named,
  registries: ResourceRegistries,
  fields: readonly string[] | undefined,
  report: Report,
): void {
  const actions = entry.actions ?? [];
  actions.forEach((action, index) => {
    const at = `${entry.name}.actions[${index}]`;
    named(`${at}.icon`, 'icon', action.icon, registries.icons);
    named(`${at}.permission`, 'permission', action.permission, registries.permissions);
    named(`${at}.when.field`, 'field', action.when?.field, fields);
    if (action.kind === 'form') named(`${at}.form`, 'form', action.form, registries.forms);
    if (action.kind === 'job') {
      named(`${at}.form`, 'form', action.form, registries.forms);
      named(`${at}.job`, 'job', action.job, registries.jobs);
    }
    if (action.kind === 'code') named(`${at}.run`, 'code', action.run, registries.codes);
    if (action.on.length === 0) report(`${at}.on`, 'the action is offered nowhere.');
    if (!/^[a-z][a-z0-9-]*\.[a-z][a-z0-9-]*$/.test(action.id)) report(`${at}.id`, `"${action.id}" is not of the form <resource>.<verb>.`);
  });
  const onHeader = actions.filter((action) => action.primary && action.on.includes('header'));
  if (onHeader.length > 1) report(`${entry.name}.actions`, 'a page has one primary button; several actions of the header claim it.');
}

function checkEntry(entry: ResourceLike, registries: ResourceRegistries, report: Report): void {
  const named = makeNamed(report);
  const { name } = entry;
  const { entities } = registries;
  const entity = entities && Object.hasOwn(entities, entry.entity) ? entities[entry.entity] : undefined;
  const fields = entity && Object.keys(entity.schema.properties);
  named(`${name}.entity`, 'entity', entry.entity, entities && Object.keys(entities));
  named(`${name}.titleField`, 'field', entry.titleField, fields);
  named(`${name}.permission.list`, 'permission', entry.permission.list, registries.permissions);
  named(`${name}.permission.show`, 'permission', entry.permission.show, registries.permissions);
  named(`${name}.menu.icon`, 'icon', entry.menu?.icon, registries.icons);
  named(`${name}.help`, 'help', entry.help, registries.help);
  entry.search?.fields.forEach((field, index) => named(`${name}.search.fields[${index}]`, 'field', field, fields));
  Object.keys(entry.live?.events ?? {}).forEach((event) => named(`${name}.live.events`, 'event', event, registries.events));
  for (const [kind, path] of Object.entries(entry.routes)) {
    if (!path.startsWith('/')) report(`${name}.routes.${kind}`, `"${path}" must begin with a slash.`);
  }
  if (entry.menu && !entry.routes.list) report(`${name}.menu`, 'a menu item needs routes.list to lead to.');
  checkTable(entry, named, registries, fields, report);
  checkActions(entry, named, registries, fields, report);
}

/**
 * What is wrong in the resource list, each line by name: `devices.table.columns[4].cell: no cell named "tag-lst". Did you mean "tag-list"?`
 * Empty when all is right. Pure; runs at the console's start with the registered cells, icons and codes, and in a test with the contract.
 */
export function checkResources(resources: readonly ResourceLike[], registries: ResourceRegistries = {}): string[] {
  const problems: string[] = [];
  const report: Report = (place, message) => problems.push(`${place}: ${message}`);
  for (const entry of resources) checkEntry(entry, registries, report);
  checkRepeats(
    report,
    'name',
    resources.map((entry) => [`${entry.name}.name`, entry.name]),
  );
  checkRepeats(
    report,
    'route',
    resources.flatMap((entry) =>
      Object.entries(entry.routes).map(([kind, path]): [string, string] => [`${entry.name}.routes.${kind}`, path]),
    ),
  );
  checkRepeats(
    report,
    'action',
    resources.flatMap((entry) =>
      (entry.actions ?? []).map((action, index): [string, string] => [`${entry.name}.actions[${index}].id`, action.id]),
    ),
  );
  return problems;
}
