import { defineResources } from '../schemas/kit/resources/resource-types.ts';

export const dashboards = defineResources([
  {
    name: 'dashboards',
    entity: 'dashboard',
    titleField: 'name',
    routes: { list: '/management/dashboards', show: '/management/dashboards/:id' },
    permission: { list: 'view_device_dashboard' },
    menu: { group: 'management', order: 18, icon: 'layout-dashboard' },
    help: 'dashboards',
    table: {
      defaultSort: { key: 'name', order: 'asc' },
      isSearchable: true,
      columns: [
        { key: 'name', sortable: true, primary: true },
        { key: 'kind', cell: 'enum', width: 130 },
        { key: 'share', cell: 'enum', width: 150 },
        { key: 'is_company_default', cell: 'boolean', width: 120 },
        { key: 'company_name', permission: 'view_companies' },
        { key: 'user_name' },
        { key: 'updated_at', cell: 'date-time', sortable: true, width: 170 },
      ],
      filters: [{ key: 'kind', kind: 'enum', values: ['fleet', 'device'] }],
    },
    actions: [
      {
        id: 'dashboards.new',
        kind: 'form',
        form: 'dashboards/new',
        on: ['header'],
        icon: 'plus',
        permission: 'update_device_dashboard',
        primary: true,
      },
      {
        id: 'dashboards.import',
        kind: 'form',
        form: 'dashboards/import',
        on: ['header'],
        icon: 'upload',
        permission: 'update_device_dashboard',
      },
      {
        id: 'dashboards.edit',
        kind: 'form',
        form: 'dashboards/edit',
        on: ['row', 'page'],
        icon: 'pencil',
        permission: 'update_device_dashboard',
      },
      {
        id: 'dashboards.remove',
        kind: 'form',
        form: 'dashboards/remove',
        on: ['row', 'page'],
        icon: 'trash-2',
        permission: 'update_device_dashboard',
        danger: true,
      },
    ],
  },
]);
