import { defineResources } from '../schemas/kit/resources/resource-types.ts';
import { STATES_OF_TARGETS } from './marks.ts';

export const tags = defineResources([
  {
    name: 'tags',
    entity: 'tag',
    titleField: 'name',
    routes: { list: '/tags', show: '/tag/:id' },
    permission: { list: 'view_tags' },
    menu: { group: 'management', order: 22, icon: 'tag' },
    search: { order: 50, fields: ['name'], marks: ['color'] },
    help: 'tags',
    table: {
      defaultSort: { key: 'name', order: 'asc' },
      columns: [
        { key: 'name', cell: 'tag', sortable: true, primary: true },
        { key: 'company_name', sortable: true, permission: 'view_companies' },
        { key: 'description', share: 2 },
        { key: 'devices_count', sortable: true, width: 110, align: 'end' },
        { key: 'created_at', cell: 'date-time', sortable: true, optional: true, width: 170 },
      ],
      filters: [
        { key: 'company_id', kind: 'lookup', lookup: 'companies' },
        { key: 'used_in', kind: 'lookup', lookup: 'companies' },
      ],
    },
    actions: [
      { id: 'tags.new', kind: 'form', form: 'tags/new', on: ['header'], icon: 'plus', permission: 'create_tags', primary: true },
      { id: 'tags.runs', kind: 'link', to: '/tags/runs', on: ['header'], icon: 'list-checks', permission: 'view_device_actions' },
      { id: 'tags.from-csv', kind: 'form', form: 'devices/tags-csv', on: ['header'], icon: 'upload', permission: 'update_tags' },
      { id: 'tags.edit', kind: 'form', form: 'tags/edit', on: ['row', 'page'], icon: 'pencil', permission: 'update_tags' },
      { id: 'tags.rule', kind: 'form', form: 'tags/rule', on: ['row'], icon: 'list-checks', permission: 'update_tags' },
      {
        id: 'tags.remove',
        kind: 'code',
        run: 'tags.remove',
        on: ['row', 'page'],
        icon: 'trash-2',
        permission: 'delete_tags',
        danger: true,
      },
    ],
    live: {
      channel: 'companies.{company_id}.tags',
      events: { TagChanged: 'patch-row', TagAdded: 'reload', TagRemoved: 'reload' },
    },
    // Devices carry tags of the companies above too.
    tabOf: [{ resource: 'companies', filter: 'used_in', fills: 'company_id', path: 'tags', order: 60 }],
  },
  {
    name: 'tag-runs',
    help: 'tags.actions',
    path: 'devices/actions/logs',
    entity: 'tag_run',
    titleField: 'device_name',
    routes: { list: '/tags/runs' },
    permission: { list: 'view_device_actions' },
    table: {
      defaultSort: { key: 'created_at', order: 'desc' },
      columns: [
        { key: 'created_at', cell: 'date-time', sortable: true, width: 170, narrow: true },
        { key: 'action_tag_name', sortable: true, narrow: true },
        { key: 'device_name', sortable: true, primary: true },
        { key: 'device_serial', cell: 'code', optional: true },
        { key: 'action_name', cell: 'enum' },
        { key: 'request_target_state', cell: 'state', marks: STATES_OF_TARGETS, narrow: true },
        { key: 'reason', cell: 'enum', optional: true },
        { key: 'user_name' },
        { key: 'finished_at', cell: 'date-time', width: 170 },
      ],
      filters: [
        { key: 'tag_id', kind: 'lookup', lookup: 'tags' },
        { key: 'device_id', kind: 'lookup', lookup: 'devices' },
        {
          key: 'action_name',
          kind: 'enum',
          values: ['run', 'reboot', 'refresh', 'firmware_upload', 'config_upload', 'execute_tasks_group'],
        },
        {
          key: 'request_target_state',
          kind: 'enum',
          values: ['waiting', 'refused', 'queued', 'sent', 'running', 'ok', 'failed', 'skipped', 'timed-out', 'cancelled'],
        },
      ],
    },
    actions: [
      {
        id: 'tag-runs.open',
        kind: 'code',
        run: 'tags.openRun',
        on: ['row'],
        icon: 'list-checks',
        permission: 'view_device_actions',
        when: { field: 'request_target_state', in: ['sent', 'running', 'ok', 'failed', 'skipped', 'timed-out', 'cancelled'] },
      },
    ],
  },
]);
