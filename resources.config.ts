import { devices } from './resources/devices.ts';
import { dashboards } from './resources/dashboards.ts';
import { sims } from './resources/sims.ts';
import { sites } from './resources/sites.ts';
import { vpn } from './resources/vpn.ts';
import { accessHistory } from './resources/access-history.ts';
import { remoteAccess } from './resources/remote-access.ts';
import { remoteConsents } from './resources/remote-consents.ts';
import { terminalKeys } from './resources/terminal-keys.ts';
import { wireless } from './resources/wireless.ts';
import { vpnConnections } from './resources/vpn-connections.ts';
import { deviceNotes } from './resources/device-notes.ts';
import { jobs } from './resources/jobs.ts';
import { tags } from './resources/tags.ts';
import { tasks } from './resources/tasks.ts';
import { files } from './resources/files.ts';
import { alerts } from './resources/alerts.ts';
import { automations } from './resources/automations.ts';
import { onCall } from './resources/on-call.ts';
import { changeSets } from './resources/change-sets.ts';
import { configuration } from './resources/configuration.ts';
import { monitoring } from './resources/monitoring.ts';
import { reports } from './resources/reports.ts';
import { backupRules } from './resources/backup-rules.ts';
import { maintenanceWindows } from './resources/maintenance-windows.ts';
import { passwords } from './resources/passwords.ts';
import { companies } from './resources/companies.ts';
import { people } from './resources/people.ts';
import { access } from './resources/access.ts';
import { credits } from './resources/credits.ts';
import { notices } from './resources/notices.ts';
import { deviceApproval } from './resources/device-approval.ts';
import { statistics } from './resources/statistics.ts';
import { mail } from './resources/mail.ts';

/** Every resource: routes, menu, search, tables, filters, actions and live updates follow from these entries. One file per room. */
export const resources = [
  ...devices,
  ...deviceNotes,
  ...dashboards,
  ...sites,
  ...sims,
  ...vpn,
  ...vpnConnections,
  ...remoteAccess,
  ...accessHistory,
  ...remoteConsents,
  ...terminalKeys,
  ...wireless,
  ...jobs,
  ...tags,
  ...tasks,
  ...files,
  ...alerts,
  ...automations,
  ...onCall,
  ...configuration,
  ...changeSets,
  ...monitoring,
  ...reports,
  ...backupRules,
  ...maintenanceWindows,
  ...passwords,
  ...companies,
  ...people,
  ...access,
  ...credits,
  ...notices,
  ...statistics,
  ...deviceApproval,
  ...mail,
] as const;

/** The name of an entry. */
export type ResourceName = (typeof resources)[number]['name'];
