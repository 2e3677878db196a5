import { defineResources } from '../schemas/kit/resources/resource-types.ts';

const permission = 'create_multi_configuration';
const STATES = { draft: 'info', in_review: 'warn', approved: 'good', applied: 'good', undone: 'info' } as const;

/** Edits of settings that are drafted, reviewed, applied and undone as one. */
export const changeSets = defineResources([
  {
    name: 'change-sets',
    path: 'devices/configurator/change-sets',
    entity: 'change_set',
    titleField: 'name',
    routes: { list: '/change-sets', show: '/change-sets/:id' },
    permission: { list: permission },
    menu: { group: 'maintenance', order: 57, icon: 'list-checks', of: 'configuration' },
    search: { order: 79, fields: ['name'] },
    help: 'configuration',
    table: {
      defaultSort: { key: 'updated_at', order: 'desc' },
      columns: [
        { key: 'name', sortable: true, primary: true },
        { key: 'state', cell: 'state', marks: STATES, sortable: true, width: 150 },
        { key: 'edits_count', cell: 'number', width: 100, align: 'end' },
        { key: 'devices_count', cell: 'number', width: 110, align: 'end' },
        { key: 'user_name' },
        { key: 'reviewer_name' },
        { key: 'description', optional: true },
        { key: 'company_name', permission: 'view_companies', optional: true },
        { key: 'applied_at', cell: 'date-time', optional: true, width: 170 },
        { key: 'updated_at', cell: 'date-time', sortable: true, width: 170 },
      ],
      filters: [
        { key: 'state', kind: 'enum', values: ['draft', 'in_review', 'approved', 'applied', 'undone'] },
        { key: 'company_id', kind: 'lookup', lookup: 'companies' },
      ],
    },
    actions: [
      {
        id: 'change-sets.review',
        kind: 'form',
        form: 'change-sets/review',
        on: ['row', 'page'],
        icon: 'send',
        permission,
        when: { field: 'state', in: ['draft'] },
      },
      {
        id: 'change-sets.approve',
        kind: 'form',
        form: 'change-sets/approve',
        on: ['row', 'page'],
        icon: 'check',
        permission,
        when: { field: 'state', in: ['in_review'] },
        primary: true,
      },
      {
        id: 'change-sets.return',
        kind: 'form',
        form: 'change-sets/return',
        on: ['row', 'page'],
        icon: 'undo-2',
        permission,
        when: { field: 'state', in: ['in_review', 'approved'] },
      },
      {
        id: 'change-sets.apply',
        kind: 'form',
        form: 'change-sets/apply',
        on: ['row', 'page'],
        icon: 'play',
        permission,
        when: { field: 'state', in: ['draft', 'approved'] },
      },
      {
        id: 'change-sets.undo',
        kind: 'form',
        form: 'change-sets/undo',
        on: ['row', 'page'],
        icon: 'rotate-ccw',
        permission,
        when: { field: 'state', in: ['applied'] },
        danger: true,
      },
      {
        id: 'change-sets.remove',
        kind: 'form',
        form: 'change-sets/remove',
        on: ['row', 'page'],
        icon: 'trash-2',
        permission,
        when: { field: 'state', in: ['draft', 'in_review', 'approved', 'undone'] },
        danger: true,
      },
    ],
  },
]);
