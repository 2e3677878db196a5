import { defineResources } from '../schemas/kit/resources/resource-types.ts';

export const deviceNotes = defineResources([
  {
    name: 'device-notes',
    path: 'devices/notes',
    help: 'device-notes',
    entity: 'device_note',
    titleField: 'text',
    routes: {},
    permission: { list: 'view_devices' },
    table: {
      defaultSort: { key: 'created_at', order: 'desc' },
      columns: [
        { key: 'created_at', cell: 'date-time', sortable: true },
        { key: 'user_name', sortable: true },
        { key: 'text', primary: true },
      ],
      filters: [{ key: 'device_id', kind: 'lookup', lookup: 'devices' }],
    },
    actions: [
      {
        id: 'device-notes.new',
        kind: 'form',
        form: 'device-notes/new',
        on: ['header'],
        icon: 'plus',
        permission: 'update_devices',
        primary: true,
      },
      {
        id: 'device-notes.edit',
        kind: 'form',
        form: 'device-notes/edit',
        on: ['page'],
        icon: 'pencil',
        permission: 'update_devices',
        when: { field: 'is_own', in: [true] },
      },
      {
        id: 'device-notes.remove',
        kind: 'form',
        form: 'device-notes/remove',
        on: ['page'],
        icon: 'trash-2',
        permission: 'update_devices',
        danger: true,
      },
    ],
  },
]);
