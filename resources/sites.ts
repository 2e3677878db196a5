import { defineResources } from '../schemas/kit/resources/resource-types.ts';

export const sites = defineResources([
  {
    name: 'sites',
    entity: 'site',
    titleField: 'name',
    routes: { list: '/management/sites', show: '/management/sites/:id' },
    permission: { list: 'view_sites' },
    menu: { group: 'management', order: 17, icon: 'map-pin' },
    search: { order: 55, fields: ['name', 'address'] },
    help: 'sites',
    table: {
      defaultSort: { key: 'name', order: 'asc' },
      columns: [
        { key: 'name', sortable: true, primary: true },
        { key: 'address', sortable: true, share: 1.5 },
        { key: 'company_name', sortable: true, permission: 'view_companies' },
        { key: 'devices_count', width: 110, align: 'end' },
        { key: 'offline_count', width: 110, align: 'end' },
        { key: 'contact_name' },
        { key: 'contact_phone', optional: true },
        { key: 'contact_email', optional: true },
        { key: 'created_at', cell: 'date-time', sortable: true, optional: true, width: 170 },
      ],
      filters: [{ key: 'company_id', kind: 'lookup', lookup: 'companies' }],
    },
    actions: [
      { id: 'sites.new', kind: 'form', form: 'sites/new', on: ['header'], icon: 'plus', permission: 'update_sites', primary: true },
      { id: 'sites.edit', kind: 'form', form: 'sites/edit', on: ['row', 'page'], icon: 'pencil', permission: 'update_sites' },
      {
        id: 'sites.remove',
        kind: 'form',
        form: 'sites/remove',
        on: ['row', 'page'],
        icon: 'trash-2',
        permission: 'update_sites',
        danger: true,
      },
    ],
    tabOf: [{ resource: 'companies', filter: 'company_id', path: 'sites', order: 62 }],
  },
]);
