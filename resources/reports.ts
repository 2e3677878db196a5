import { defineActions, defineResources, type ColumnEntry, type FilterEntry } from '../schemas/kit/resources/resource-types.ts';
import type { EntityFields } from '../schemas/_generated/contract.ts';

type Columns = ColumnEntry<EntityFields['report']>[];

const head: Columns = [
  { key: 'name', sortable: true, primary: true },
  { key: 'company_name', sortable: true, permission: 'view_companies' },
  { key: 'applied_by', cell: 'enum', width: 190 },
  { key: 'parameters', cell: 'enum-list' },
];
const tail: Columns = [
  { key: 'generated_at', cell: 'date-time', sortable: true, width: 170 },
  { key: 'description', optional: true },
  { key: 'user_name', optional: true },
  { key: 'created_at', cell: 'date-time', sortable: true, optional: true, width: 170 },
];
const singleColumns: Columns = [
  ...head,
  { key: 'period', cell: 'enum', width: 130 },
  { key: 'start_date', optional: true, width: 120 },
  { key: 'end_date', optional: true, width: 120 },
  ...tail,
];
const periodicColumns: Columns = [
  ...head,
  { key: 'time', width: 90 },
  { key: 'timezone', optional: true, width: 150 },
  { key: 'is_active', cell: 'boolean', width: 100 },
  { key: 'next_at', cell: 'date-time', sortable: true, width: 170 },
  ...tail,
];
const filters: FilterEntry<EntityFields['report']>[] = [
  { key: 'company_id', kind: 'lookup', lookup: 'companies' },
  { key: 'applied_by', kind: 'enum', values: ['company', 'device', 'tag'] },
];

const actionsOf = (name: string, initial?: Readonly<Record<string, string>>) =>
  defineActions<'report'>()([
    {
      id: `${name}.new`,
      kind: 'form',
      form: 'reports/new',
      on: ['header'],
      icon: 'plus',
      permission: 'create_reports',
      primary: true,
      ...(initial ? { initial } : {}),
    },
    { id: `${name}.generate`, kind: 'form', form: 'reports/generate', on: ['row'], icon: 'chart-column', permission: 'create_reports' },
    {
      id: `${name}.reports`,
      kind: 'link',
      to: '/reports/generated?report_template_id={id}',
      on: ['row'],
      icon: 'list',
      permission: 'view_reports',
    },
    { id: `${name}.edit`, kind: 'form', form: 'reports/edit', on: ['row'], icon: 'pencil', permission: 'update_reports' },
    {
      id: `${name}.remove`,
      kind: 'form',
      form: 'reports/remove',
      on: ['row'],
      icon: 'trash-2',
      permission: 'delete_reports',
      danger: true,
    },
  ]);

const template = {
  help: 'reports',
  entity: 'report',
  titleField: 'name',
  permission: { list: 'view_reports' },
} as const;
const menu = (order: number) => ({ group: 'management', order, icon: 'chart-column', of: 'reports' }) as const;
const tab = (path: string, order: number) => [{ resource: 'companies', filter: 'company_id' as const, path, order }];

/** Reports on devices over a period: templates with their schedules, and the reports themselves. */
export const reports = defineResources([
  {
    ...template,
    name: 'reports',
    routes: {},
    table: {
      defaultSort: { key: 'name', order: 'asc' },
      isSearchable: true,
      columns: periodicColumns,
      filters: [
        ...filters,
        { key: 'period', kind: 'enum', values: ['single', 'periodic', 'day', 'week', 'month', 'custom'] },
        { key: 'type', kind: 'enum', values: ['single', 'periodic'] },
      ],
    },
  },
  {
    ...template,
    name: 'single-reports',
    path: 'reports/single',
    routes: { list: '/reports/single' },
    menu: menu(62),
    table: { defaultSort: { key: 'name', order: 'asc' }, isSearchable: true, columns: singleColumns, filters },
    actions: actionsOf('single-reports'),
    tabOf: tab('reports/single', 70),
  },
  {
    ...template,
    name: 'daily-reports',
    path: 'reports/periodic/day',
    routes: { list: '/reports/periodic/day' },
    menu: menu(63),
    table: { defaultSort: { key: 'name', order: 'asc' }, isSearchable: true, columns: periodicColumns, filters },
    actions: actionsOf('daily-reports', { type: 'periodic', period: 'day' }),
    tabOf: tab('reports/periodic/day', 71),
  },
  {
    ...template,
    name: 'weekly-reports',
    path: 'reports/periodic/week',
    routes: { list: '/reports/periodic/week' },
    menu: menu(64),
    table: { defaultSort: { key: 'name', order: 'asc' }, isSearchable: true, columns: periodicColumns, filters },
    actions: actionsOf('weekly-reports', { type: 'periodic', period: 'week' }),
    tabOf: tab('reports/periodic/week', 72),
  },
  {
    ...template,
    name: 'monthly-reports',
    path: 'reports/periodic/month',
    routes: { list: '/reports/periodic/month' },
    menu: menu(65),
    table: { defaultSort: { key: 'name', order: 'asc' }, isSearchable: true, columns: periodicColumns, filters },
    actions: actionsOf('monthly-reports', { type: 'periodic', period: 'month' }),
    tabOf: tab('reports/periodic/month', 73),
  },
  {
    name: 'generated-reports',
    path: 'reports/generated',
    help: 'reports',
    entity: 'generated_report',
    titleField: 'name',
    routes: { list: '/reports/generated', show: '/report/generated/:id' },
    permission: { list: 'view_reports' },
    menu: menu(66),
    table: {
      defaultSort: { key: 'created_at', order: 'desc' },
      isSearchable: true,
      columns: [
        { key: 'name', sortable: true, primary: true },
        { key: 'company_name', sortable: true, permission: 'view_companies' },
        { key: 'start_date', width: 120 },
        { key: 'end_date', width: 120 },
        { key: 'state', cell: 'state', marks: { finished: 'good', running: 'info', cancelled: 'warn' }, width: 140 },
        { key: 'type', cell: 'enum', width: 120 },
        { key: 'report_template_name', optional: true },
        { key: 'description', optional: true },
        { key: 'user_name', optional: true },
        { key: 'created_at', cell: 'date-time', sortable: true, width: 170 },
      ],
      filters: [
        { key: 'company_id', kind: 'lookup', lookup: 'companies' },
        { key: 'report_template_id', kind: 'lookup', lookup: 'reports' },
        { key: 'type', kind: 'enum', values: ['single', 'periodic'] },
        { key: 'period', kind: 'enum', values: ['day', 'week', 'month', 'custom'] },
      ],
    },
    actions: [
      {
        id: 'generated-reports.pdf',
        kind: 'code',
        run: 'reports.pdf',
        on: ['row', 'page'],
        icon: 'download',
        permission: 'view_reports',
        when: { field: 'state', in: ['finished'] },
      },
      {
        id: 'generated-reports.csv',
        kind: 'code',
        run: 'reports.csv',
        on: ['row', 'page'],
        icon: 'download',
        permission: 'view_reports',
        when: { field: 'state', in: ['finished'] },
      },
      {
        id: 'generated-reports.xlsx',
        kind: 'code',
        run: 'reports.xlsx',
        on: ['row', 'page'],
        icon: 'download',
        permission: 'view_reports',
        when: { field: 'state', in: ['finished'] },
      },
      {
        id: 'generated-reports.edit',
        kind: 'form',
        form: 'reports/edit-generated',
        on: ['row', 'page'],
        icon: 'pencil',
        permission: 'update_reports',
      },
      {
        id: 'generated-reports.remove',
        kind: 'form',
        form: 'reports/remove-generated',
        on: ['row', 'page'],
        icon: 'trash-2',
        permission: 'delete_reports',
        danger: true,
      },
    ],
    tabOf: tab('reports/generated', 74),
  },
]);
