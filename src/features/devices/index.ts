import { registerDoneWords, registerEditPatch } from '../../engine/actions/edit-at-once.ts';
import { registerDialog } from '../../engine/dialogs/index.ts';
import {
  COLLECTED_ABOUT,
  COLLECTED_PATH,
  COLLECTED_PERMISSION,
  isCollected,
  metricsOf,
  type CollectedTemplate,
} from '../../engine/readings/collected.ts';
import { healthLevel } from '../../../schemas/kit/devices/health.ts';
import type { CustomField } from '../../../schemas/kit/devices/custom-fields.ts';
import { registerFollowingExtension, registerFormExtension } from '../../engine/form/form-extensions.ts';
import { registerResultView } from '../../engine/form/result-views.ts';
import {
  defineCell,
  registerCodeAction,
  registerColumnSource,
  registerFilterRule,
  registerStrip,
} from '../../engine/resources/registry.ts';
import type { Room } from '../../engine/rooms/room.ts';
import {
  CompanyPathCell,
  DashboardImageCell,
  DeviceModelCell,
  DeviceNameCell,
  DeviceStatusCell,
  FirmwareCell,
  NetworkCell,
  SignalCell,
  TemperatureCell,
} from './cells.tsx';
import { HealthCell } from './HealthCell.tsx';
import { CustomFieldCell } from './CustomFieldCell.tsx';
import { customColumns, customFilters, isCustomKey } from './custom-fields.ts';
import { CollectedCell, OnlineDayCell, SignalDayCell } from './TrendCells.tsx';
import { signalLevel, statusName } from './status.ts';
import { withTexts } from '../../kernel/i18n/index.ts';

/** The devices: their cells, the strip above the list, the page, and joining one. */
export const room: Room = {
  register() {
    defineCell('device-status', DeviceStatusCell);
    defineCell('device-name', DeviceNameCell);
    defineCell('device-model', DeviceModelCell);
    defineCell('company-path', CompanyPathCell);
    defineCell('firmware', FirmwareCell);
    defineCell('network', NetworkCell);
    defineCell('signal', SignalCell);
    defineCell('temperature', TemperatureCell);
    defineCell('dashboard-image', DashboardImageCell);
    defineCell('signal-day', SignalDayCell);
    defineCell('online-day', OnlineDayCell);
    defineCell('collected', CollectedCell);
    defineCell('health', HealthCell);
    defineCell('custom-field', CustomFieldCell);
    registerCustomFields();
    registerCollectedColumns();
    registerStrip('device-statistics', 124, async () => (await import('./StatisticsStrip.tsx')).default);
    registerFilterRule('devices', 'status', (row, value) => statusName(row['status']) === value);
    registerFilterRule(
      'devices',
      'health',
      (row, value) => healthLevel(typeof row['health'] === 'number' ? row['health'] : null) === value,
    );
    registerFilterRule(
      'devices',
      'signal',
      (row, value) => signalLevel(typeof row['signal'] === 'number' ? row['signal'] : null) === value,
    );
    registerDialog(
      'devices.parameter',
      withTexts(['devices'], () => import('./ParameterChangesDialog.tsx')),
    );
    registerDialog(
      'devices.map',
      withTexts(['devices', 'map'], () => import('./MapDialog.tsx')),
    );
    registerDialog(
      'devices.network-map-changes',
      withTexts(['devices', 'map'], () => import('./NetworkMapChanges.tsx')),
    );
    registerCodeAction(
      'devices.restoreChosen',
      withTexts(['devices', 'form'], async () => (await import('./restore-chosen.ts')).restoreChosen),
    );
    registerCodeAction('devices.map', async () => (await import('./show-map.ts')).showOnMap);
    registerTagPatches();
    registerResultView(
      'devices/import',
      withTexts(['charts', 'devices'], () => import('./AddDevicesResult.tsx')),
    );
    registerResultView(
      'devices/add',
      withTexts(['companies', 'devices'], () => import('./EnrolmentResult.tsx')),
    );
  },
  pages: [
    {
      path: '/management/map',
      permission: 'view_devices',
      menu: { group: 'management', order: 16, icon: 'map', label: 'menu.map' },
      load: withTexts(['devices', 'map'], () => import('./MapPage.tsx')),
    },
    {
      path: '/device/:id/dashboard/:dashboard_id',
      permission: 'view_device_dashboard',
      load: withTexts(['charts', 'dashboards', 'devices', 'form', 'map', 'readings'], () => import('./dashboards/DeviceDashboards.tsx')),
    },
  ],
  showPages: {
    sites: withTexts(['charts', 'devices', 'form', 'history', 'map', 'permissions', 'sites'], () => import('./SitePage.tsx')),
    dashboards: withTexts(['charts', 'dashboards', 'devices', 'form', 'map', 'readings'], () => import('./dashboards/DashboardPage.tsx')),
    devices: withTexts(
      ['charts', 'companies', 'dashboards', 'devices', 'esim', 'form', 'history', 'jobs', 'map', 'permissions', 'readings', 'wireless'],
      () => import('./DevicePage.tsx'),
    ),
  },
};

/** What is removed is known here; what is added comes from the server, with its name and colour. */
function registerTagPatches(): void {
  const without = (tags: unknown, gone: unknown) =>
    Array.isArray(tags) && Array.isArray(gone) ? tags.filter((tag: { id: number }) => !gone.includes(tag.id)) : tags;
  registerEditPatch('devices/unassign-tags', (row, data) => ({ tags: without(row['tags'], data['tag_id']) }));
  for (const form of ['devices/assign-tags', 'devices/overwrite-tags']) registerEditPatch(form, () => undefined);
  for (const form of ['devices/assign-tags', 'devices/unassign-tags'])
    registerDoneWords(form, async (data, count) => (await import('./tag-words.ts')).tagWords(form, data, count));
}

/** Each custom field can be a column and a filter, and is in the form of its devices. */
function registerCustomFields(): void {
  registerColumnSource('devices', {
    path: '/custom-fields',
    permission: 'view_devices',
    about: 'companies',
    isKey: isCustomKey,
    columnsOf: (answer) => customColumns(answer as CustomField[]),
    filtersOf: (answer) => customFilters(answer as CustomField[]),
  });
  const load = withTexts(['forms-devices'], () => import('./custom-form.ts'));
  registerFormExtension('devices/edit', async (module, id) => (await load()).withCustomFields(module, id));
  registerFollowingExtension('devices/add-ahead', {
    field: 'company_id',
    extend: async (module, company) => (await load()).withCompanyFields(module, company),
  });
  registerFollowingExtension('devices/import', {
    field: 'company_id',
    extend: async (module, company) => (await load()).withCompanyFieldsForAll(module, company),
  });
}

/** Each variable of the monitoring templates can be a column. */
function registerCollectedColumns(): void {
  registerColumnSource('devices', {
    path: COLLECTED_PATH,
    permission: COLLECTED_PERMISSION,
    about: COLLECTED_ABOUT,
    isKey: isCollected,
    columnsOf: (answer) =>
      metricsOf(answer as CollectedTemplate[]).map(({ metric, label, isNumber }) => ({
        key: metric,
        title: label,
        cell: 'collected',
        optional: true,
        isDrawn: true,
        width: 150,
        ...(isNumber ? { align: 'end' as const } : {}),
      })),
  });
}
