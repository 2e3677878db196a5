import { defineActions } from '../schemas/kit/resources/resource-types.ts';

/** What a device is watched for, as its menus offer it. */
export const watchingActions = defineActions<'device'>()([
  {
    id: 'devices.automations',
    kind: 'form',
    form: 'devices/automations',
    on: ['row', 'page'],
    icon: 'zap',
    permission: 'update_automations',
    isSeldom: true,
  },
  {
    id: 'devices.monitoring-periods',
    kind: 'job',
    job: 'monitoring_periods',
    form: 'devices/monitoring-periods',
    risk: 'low',
    on: ['row', 'bulk', 'page'],
    icon: 'clock',
    permission: 'update_monitoring',
    isSeldom: true,
  },
  {
    id: 'devices.new-alert',
    kind: 'job',
    job: 'create_alerts',
    form: 'devices/new-alert',
    risk: 'low',
    on: ['row', 'bulk', 'page'],
    icon: 'bell',
    permission: 'update_device_alerts',
    feature: 'legacy_alerts',
    isSeldom: true,
  },
]);
