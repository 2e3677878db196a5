import { defineActions } from '../schemas/kit/resources/resource-types.ts';

/** What says where devices are. */
export const placeActions = defineActions<'device'>()([
  {
    id: 'devices.locations',
    kind: 'form',
    form: 'devices/locations',
    on: ['header'],
    icon: 'map-pin',
    permission: 'update_devices',
    isSeldom: true,
  },
]);
