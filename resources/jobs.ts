import { defineResources } from '../schemas/kit/resource-types.ts';

/** How devices come in, and what is done on them. */
export const jobs = defineResources([
  {
    name: 'enrolment-codes',
    path: 'devices/enrolment-codes',
    entity: 'enrolment_code',
    titleField: 'code_hint',
    routes: { list: '/management/enrolment-codes' },
    permission: { list: 'create_devices' },
    menu: { group: 'management', order: 20, icon: 'key-round' },
    help: 'enrolment-codes',
    table: {
      defaultSort: { key: 'created_at', order: 'desc' },
      columns: [
        { key: 'code_hint', cell: 'code', primary: true, width: 110 },
        { key: 'company_name', sortable: true },
        { key: 'state', cell: 'state', marks: { active: 'good' }, width: 120 },
        { key: 'used', sortable: true, width: 90, align: 'end' },
        { key: 'uses', sortable: true, width: 145, align: 'end' },
        { key: 'tags', cell: 'tag-list' },
        { key: 'expires_at', cell: 'date-time', sortable: true, width: 170 },
        { key: 'user_name', optional: true },
        { key: 'created_at', cell: 'date-time', sortable: true, optional: true, width: 170 },
      ],
      filters: [
        { key: 'state', kind: 'enum', values: ['active', 'used_up', 'expired', 'withdrawn'] },
        { key: 'company_id', kind: 'lookup', lookup: 'companies' },
      ],
    },
    actions: [
      {
        id: 'enrolment-codes.new',
        kind: 'form',
        form: 'devices/add',
        on: ['header'],
        icon: 'plus',
        permission: 'create_devices',
        primary: true,
      },
      {
        id: 'enrolment-codes.remove',
        kind: 'form',
        form: 'enrolment-codes/remove',
        on: ['row'],
        icon: 'ban',
        permission: 'create_devices',
        danger: true,
        when: { field: 'state', in: ['active'] },
      },
    ],
  },
  {
    name: 'jobs',
    entity: 'job',
    titleField: 'kind',
    routes: { list: '/management/jobs' },
    permission: { list: 'view_device_actions' },
    menu: { group: 'management', order: 30, icon: 'list-checks' },
    help: 'jobs',
    table: {
      defaultSort: { key: 'created_at', order: 'desc' },
      columns: [
        { key: 'kind', cell: 'job-kind', primary: true },
        { key: 'state', cell: 'job-state', sortable: true, width: 120 },
        { key: 'counts', cell: 'job-progress' },
        { key: 'total', sortable: true, width: 100, align: 'end' },
        { key: 'company_name', sortable: true, permission: 'view_companies' },
        { key: 'user_name', sortable: true },
        { key: 'created_at', cell: 'relative-time', sortable: true, width: 130 },
        { key: 'finished_at', cell: 'relative-time', sortable: true, optional: true, width: 130 },
      ],
      filters: [
        { key: 'kind', kind: 'enum', values: ['reboot', 'run', 'refresh', 'move', 'remove', 'form', 'credit'] },
        { key: 'state', kind: 'enum', values: ['queued', 'running', 'finished', 'cancelled'] },
        { key: 'company_id', kind: 'lookup', lookup: 'companies' },
        { key: 'user_id', kind: 'lookup', lookup: 'users' },
      ],
    },
    actions: [{ id: 'jobs.open', kind: 'code', run: 'jobs.open', on: ['row'], icon: 'list-checks', permission: 'view_device_actions' }],
    live: { channel: 'companies.{company_id}.jobs', events: { JobAdded: 'reload', JobChanged: 'patch-row' } },
  },
]);
