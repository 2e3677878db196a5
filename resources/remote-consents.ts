import { defineResources } from '../schemas/kit/resources/resource-types.ts';

const managing = 'update_device_remote_access';

export const remoteConsents = defineResources([
  {
    name: 'remote-consents',
    path: 'remote/consents',
    entity: 'remote_consent',
    titleField: 'user_name',
    routes: { list: '/remote/consents' },
    permission: { list: managing },
    menu: { group: 'access', order: 9, icon: 'shield-check', of: 'remote' },
    help: 'remote-access',
    refreshSeconds: 10,
    table: {
      isSearchable: true,
      defaultSort: { key: 'asked_at', order: 'desc' },
      columns: [
        { key: 'user_name', sortable: true, primary: true },
        { key: 'user_company', narrow: true },
        { key: 'device_name', sortable: true },
        { key: 'purpose', narrow: true },
        { key: 'state', cell: 'state', marks: { asked: 'warn', given: 'good', refused: 'bad' }, width: 130, narrow: true },
        { key: 'asked_at', cell: 'date-time', sortable: true, width: 170 },
        { key: 'expires_at', cell: 'date-time', sortable: true, width: 170 },
        { key: 'decided_by_name', optional: true },
        { key: 'decided_at', cell: 'date-time', optional: true, width: 170 },
        { key: 'company_name', sortable: true, optional: true, permission: 'view_companies' },
      ],
      filters: [
        { key: 'device_id', kind: 'lookup', lookup: 'devices' },
        { key: 'company_id', kind: 'lookup', lookup: 'companies' },
      ],
    },
    actions: [
      {
        id: 'remote-consents.allow',
        kind: 'form',
        form: 'remote-access/allow-consent',
        on: ['row'],
        icon: 'check',
        permission: managing,
        when: { field: 'can_decide', in: [1] },
      },
      {
        id: 'remote-consents.refuse',
        kind: 'form',
        form: 'remote-access/refuse-consent',
        on: ['row'],
        icon: 'x',
        permission: managing,
        danger: true,
        when: { field: 'can_decide', in: [1] },
      },
    ],
  },
]);
