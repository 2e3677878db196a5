import { lazy } from 'react';
import type { ComponentType, ReactNode } from 'react';
import type { PermissionName } from '../../../schemas/_generated/contract.ts';
import type { ActionEntry, ColumnEntry, FilterEntry } from '../../../schemas/kit/resources/resource-types.ts';
import type { Selection } from '../table/selection.ts';
import type { Resource, Row } from './resource.ts';

/** What a cell is given: the field's value, and the record where it needs more of it. */
export interface CellProps {
  value: unknown;
  row: Row;
  resource: Resource;
  column: ColumnEntry;
  /** Puts the record's link around the name in a primary column; gives other columns' content back as it is. Use it once, around the name alone. */
  link: (content: ReactNode) => ReactNode;
}
export type CellComponent = ComponentType<CellProps>;

/** A strip above a table; its parts are filters. */
export interface StripProps {
  resource: Resource;
  filters: readonly ListFilter[];
  /** The filters and the search text as the API's query: the numbers of the strip are of these rows. */
  query: Readonly<Record<string, string>>;
  /** Sets a filter; an empty list takes it away. */
  onFilter: (key: string, values: readonly FilterValue[], negated?: boolean) => void;
  /** Grows with each load of the list, so that the numbers come from the same moment as the rows. */
  loadedAt: number;
}
export type StripComponent = ComponentType<StripProps>;

/** What an action is for. `selection` names the same records in the shape of a bulk call. */
export interface ActionContext {
  action: ActionEntry;
  resource: Resource;
  /** The chosen records as far as they are known here; empty for a header action and for "all that match". */
  rows: readonly Row[];
  selection: Selection;
  /** Loads the list or page again. */
  reload: () => void;
}
/** `false`: nothing was done, such as after a question that was answered with no. */
export type CodeAction = (context: ActionContext) => void | Promise<void | boolean>;

/** Columns of a list that people make themselves, beside those of its entry. They are asked for when somebody shows one or chooses columns. */
export interface ColumnSource {
  path: string;
  permission: PermissionName;
  /** The resource that the answer depends on. */
  about: string;
  /** Whether a key that somebody has chosen is one of these. */
  isKey: (key: string) => boolean;
  columnsOf: (answer: unknown) => readonly ColumnEntry[];
  /** What the list can be filtered by with them; it can then be sorted by them too. */
  filtersOf?: (answer: unknown) => readonly FilterEntry[];
}

type Loader<T> = () => Promise<T>;

const cells = new Map<string, CellComponent>();
interface Strip {
  Component: StripComponent;
  /** Pixels that are kept free for it while its code is on its way, so that the table does not jump. */
  height: number;
  /** It leads to other pages, so it is left out where the list is part of another one. */
  isOfPage: boolean;
}
const strips = new Map<string, Strip>();
const columnSources = new Map<string, ColumnSource[]>();
const codeActions = new Map<string, Loader<CodeAction>>();
const filterRules = new Map<string, FilterRule>();

/** Whether a record passes one value of a filter whose values are not the field's own. */
export type FilterRule = (row: Row, value: FilterValue) => boolean;

/** Registers a cell by the name that columns use. Throws when the name is taken. */
export function defineCell(name: string, component: CellComponent): void {
  put(cells, 'cell', name, component);
}

/** Registers a cell whose code is loaded with the first list that shows it. */
export function registerCell(name: string, load: Loader<CellComponent>): void {
  defineCell(
    name,
    lazy(async () => ({ default: await load() })),
  );
}

/** Registers a strip above tables, `height` pixels high; its code is loaded when it is first shown. `isOfPage`: not where the list is part of another page. */
export function registerStrip(name: string, height: number, load: Loader<StripComponent>, { isOfPage = false } = {}): void {
  put(strips, 'strip', name, { Component: lazy(async () => ({ default: await load() })), height, isOfPage });
}

/** Registers the code of a `kind: 'code'` action by its `run` name; loaded when it first runs. */
export function registerCodeAction(name: string, load: Loader<CodeAction>): void {
  put(codeActions, 'code action', name, load);
}

/** Says how to judge a filter in the browser whose values are words for a field's values (`online` for status 1), so that live rows can be marked. */
export function registerFilterRule(resource: string, key: string, rule: FilterRule): void {
  put(filterRules, 'filter rule', `${resource}.${key}`, rule);
}

/** Registers where more columns of a list come from. */
export function registerColumnSource(resource: string, source: ColumnSource): void {
  columnSources.set(resource, [...(columnSources.get(resource) ?? []), source]);
}

const NO_SOURCES: readonly ColumnSource[] = [];

/** Where more columns of a list come from. */
export const findColumnSources = (resource: string): readonly ColumnSource[] => columnSources.get(resource) ?? NO_SOURCES;

/** Whether a list is filtered and sorted by this key that its entry does not name. */
export const isOpenKey = (resource: string, key: string): boolean =>
  findColumnSources(resource).some((source) => source.filtersOf !== undefined && source.isKey(key));

/** The cell of a name, or `undefined`. */
export function findCell(name: string | undefined): CellComponent | undefined {
  return name === undefined ? undefined : cells.get(name);
}

/** The strip of a name, or `undefined`. */
export function findStrip(name: string | undefined): Strip | undefined {
  return name === undefined ? undefined : strips.get(name);
}

/** The rule of a filter, or `undefined` where the filter's values are the field's own. */
export function findFilterRule(resource: string, key: string): FilterRule | undefined {
  return filterRules.get(`${resource}.${key}`);
}

/** The code of an action; throws, naming it, when nobody registered it. */
export function getCodeAction(name: string): Promise<CodeAction> {
  const load = codeActions.get(name);
  if (!load) throw new Error(`No code action named "${name}". Registered: ${[...codeActions.keys()].join(', ') || 'none'}`);
  return load();
}

/** Every registered name, for `checkResources()`. */
export function registeredNames(): { cells: string[]; strips: string[]; codes: string[] } {
  return { cells: [...cells.keys()], strips: [...strips.keys()], codes: [...codeActions.keys()] };
}

function put<T>(map: Map<string, T>, kind: string, name: string, value: T): void {
  if (map.has(name)) throw new Error(`There is a ${kind} named "${name}" already.`);
  map.set(name, value);
}

export type FilterValue = string | number | boolean;

/** One chip of the filter bar. `values` is never empty; several mean "any of these". */
export interface ListFilter {
  readonly key: string;
  readonly negated: boolean;
  readonly values: readonly FilterValue[];
}
