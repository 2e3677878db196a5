import { defineResources } from '../schemas/kit/resources/resource-types.ts';

/** Who answers alerts, and when. */
export const onCall = defineResources([
  {
    name: 'on-call',
    help: 'alerts',
    entity: 'on_call_schedule',
    titleField: 'name',
    routes: { list: '/management/on-call' },
    permission: { list: 'view_device_alerts' },
    menu: { group: 'management', order: 15, icon: 'users', of: 'alerts' },
    table: {
      defaultSort: { key: 'company_name', order: 'asc' },
      isSearchable: true,
      columns: [
        { key: 'name', sortable: true, primary: true },
        { key: 'company_name', sortable: true, permission: 'view_companies' },
        { key: 'on_call_name' },
        { key: 'next_name' },
        { key: 'handover_at', cell: 'date-time', width: 170 },
        { key: 'shift_days', cell: 'enum', width: 130 },
        { key: 'least_severity', cell: 'enum', width: 150 },
        { key: 'after_minutes', cell: 'number', optional: true, width: 130, align: 'end' },
        { key: 'next_minutes', cell: 'number', optional: true, width: 130, align: 'end' },
        { key: 'user_name', optional: true },
      ],
      filters: [{ key: 'company_id', kind: 'lookup', lookup: 'companies' }],
    },
    actions: [
      {
        id: 'on-call.new',
        kind: 'form',
        form: 'on-call/new',
        on: ['header'],
        icon: 'plus',
        permission: 'update_device_alerts',
        primary: true,
      },
      { id: 'on-call.edit', kind: 'form', form: 'on-call/edit', on: ['row'], icon: 'pencil', permission: 'update_device_alerts' },
      {
        id: 'on-call.remove',
        kind: 'form',
        form: 'on-call/remove',
        on: ['row'],
        icon: 'trash-2',
        permission: 'update_device_alerts',
        danger: true,
      },
    ],
  },
]);
