import { defineResources } from '../schemas/kit/resources/resource-types.ts';

const using = 'execute_device_remote_access';

export const terminalKeys = defineResources([
  {
    name: 'terminal-keys',
    path: 'remote/keys',
    entity: 'terminal_key',
    titleField: 'label',
    routes: { list: '/remote/keys' },
    permission: { list: using },
    help: 'remote-access',
    isApartFromCompanies: true,
    table: {
      isSearchable: true,
      defaultSort: { key: 'label', order: 'asc' },
      columns: [
        { key: 'label', sortable: true, primary: true, narrow: true },
        { key: 'text', cell: 'code' },
        { key: 'is_shared', cell: 'boolean', width: 110 },
        { key: 'user_name', sortable: true },
        { key: 'updated_at', cell: 'date-time', optional: true, width: 170 },
      ],
      filters: [],
    },
    actions: [
      {
        id: 'terminal-keys.new',
        kind: 'form',
        form: 'remote-access/new-key',
        permission: using,
        on: ['header'],
        icon: 'plus',
        primary: true,
      },
      {
        id: 'terminal-keys.edit',
        kind: 'form',
        form: 'remote-access/edit-key',
        permission: using,
        on: ['row'],
        icon: 'pencil',
        when: { field: 'can_edit', in: [true] },
      },
      {
        id: 'terminal-keys.remove',
        kind: 'form',
        form: 'remote-access/remove-key',
        permission: using,
        on: ['row'],
        icon: 'trash-2',
        danger: true,
        when: { field: 'can_edit', in: [true] },
      },
    ],
  },
]);
