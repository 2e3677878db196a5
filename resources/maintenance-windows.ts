import { defineResources } from '../schemas/kit/resources/resource-types.ts';

export const maintenanceWindows = defineResources([
  {
    name: 'maintenance-windows',
    help: 'maintenance-windows',
    entity: 'maintenance_window',
    titleField: 'name',
    routes: { list: '/management/maintenance-windows' },
    permission: { list: 'view_device_updates' },
    menu: { group: 'maintenance', order: 64, icon: 'clock' },
    table: {
      defaultSort: { key: 'name', order: 'asc' },
      columns: [
        { key: 'name', sortable: true, primary: true },
        { key: 'company_name', sortable: true, permission: 'view_companies' },
        { key: 'applies_to', cell: 'enum', width: 170 },
        { key: 'days', cell: 'enum-list', width: 200 },
        { key: 'time_from', width: 90 },
        { key: 'time_to', width: 90 },
        { key: 'timezone', width: 150 },
        { key: 'uses_device_time', cell: 'boolean', optional: true, width: 150 },
        { key: 'is_active', cell: 'boolean', width: 100 },
        { key: 'opens_at', cell: 'date-time', width: 170 },
        { key: 'user_name', optional: true },
        { key: 'created_at', cell: 'date-time', sortable: true, optional: true, width: 170 },
      ],
      filters: [
        { key: 'company_id', kind: 'lookup', lookup: 'companies' },
        { key: 'applies_to', kind: 'enum', values: ['company', 'tag', 'device'] },
        { key: 'is_active', kind: 'boolean' },
      ],
    },
    actions: [
      {
        id: 'maintenance-windows.new',
        kind: 'form',
        form: 'maintenance-windows/new',
        on: ['header'],
        icon: 'plus',
        permission: 'execute_device_updates',
        primary: true,
      },
      {
        id: 'maintenance-windows.edit',
        kind: 'form',
        form: 'maintenance-windows/edit',
        on: ['row'],
        icon: 'pencil',
        permission: 'execute_device_updates',
      },
      {
        id: 'maintenance-windows.remove',
        kind: 'form',
        form: 'maintenance-windows/remove',
        on: ['row'],
        icon: 'trash-2',
        permission: 'execute_device_updates',
        danger: true,
      },
    ],
  },
]);
