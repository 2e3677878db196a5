import { defineResources } from '../schemas/kit/resources/resource-types.ts';

export const backupRules = defineResources([
  {
    name: 'backup-rules',
    help: 'backup-rules',
    entity: 'backup_rule',
    titleField: 'name',
    routes: { list: '/management/backup-rules' },
    permission: { list: 'view_device_updates' },
    menu: { group: 'maintenance', order: 62, icon: 'history' },
    table: {
      defaultSort: { key: 'name', order: 'asc' },
      columns: [
        { key: 'name', sortable: true, primary: true },
        { key: 'company_name', sortable: true, permission: 'view_companies' },
        { key: 'applies_to', cell: 'enum', width: 170 },
        { key: 'period', cell: 'enum', width: 120 },
        { key: 'time', width: 90 },
        { key: 'timezone', optional: true, width: 150 },
        { key: 'keep', width: 110, align: 'end' },
        { key: 'is_active', cell: 'boolean', width: 100 },
        { key: 'next_at', cell: 'date-time', sortable: true, width: 170 },
        { key: 'last_at', cell: 'date-time', sortable: true, width: 170 },
        { key: 'user_name', optional: true },
        { key: 'created_at', cell: 'date-time', sortable: true, optional: true, width: 170 },
      ],
      filters: [
        { key: 'company_id', kind: 'lookup', lookup: 'companies' },
        { key: 'period', kind: 'enum', values: ['day', 'week', 'month'] },
        { key: 'is_active', kind: 'boolean' },
      ],
    },
    actions: [
      {
        id: 'backup-rules.new',
        kind: 'form',
        form: 'backup-rules/new',
        on: ['header'],
        icon: 'plus',
        permission: 'execute_device_updates',
        primary: true,
      },
      {
        id: 'backup-rules.edit',
        kind: 'form',
        form: 'backup-rules/edit',
        on: ['row'],
        icon: 'pencil',
        permission: 'execute_device_updates',
      },
      {
        id: 'backup-rules.remove',
        kind: 'form',
        form: 'backup-rules/remove',
        on: ['row'],
        icon: 'trash-2',
        permission: 'execute_device_updates',
        danger: true,
      },
    ],
  },
]);
