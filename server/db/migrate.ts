import { sql } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { ConfigError } from '../config.ts';
import type { Db } from './schema.ts';
import type { DialectTools } from './dialect.ts';
import { up as init } from './migrations/001-init.ts';
import { up as addedForms } from './migrations/002-added-forms.ts';
import { up as secondFactors } from './migrations/003-second-factors.ts';
import { up as invitations } from './migrations/004-invitations.ts';
import { up as jobWaves } from './migrations/005-job-waves.ts';
import { up as credits } from './migrations/006-credits.ts';
import { up as memberships } from './migrations/007-memberships.ts';
import { up as rolesAndServices } from './migrations/008-roles-and-services.ts';
import { up as accounts } from './migrations/009-accounts.ts';
import { up as companiesHistory } from './migrations/010-companies-history.ts';
import { up as ledger } from './migrations/011-ledger.ts';
import { up as files } from './migrations/012-files.ts';
import { up as tagActions } from './migrations/012-tag-actions.ts';
import { up as messages } from './migrations/013-messages.ts';
import { up as themes } from './migrations/014-themes.ts';
import { up as mail } from './migrations/015-mail.ts';
import { up as impersonation } from './migrations/016-impersonation.ts';
import { up as creditLists } from './migrations/017-credit-lists.ts';
import { up as mailServers } from './migrations/018-mail-servers.ts';
import { up as treeCounts } from './migrations/019-tree-counts.ts';
import { up as groupedHistory } from './migrations/020-grouped-history.ts';
import { up as metricsByDay } from './migrations/021-metrics-by-day.ts';
import { up as mailTemplates } from './migrations/022-mail-templates.ts';
import { up as ledgerNumbers } from './migrations/023-ledger-numbers.ts';
import { up as views } from './migrations/024-views.ts';
import { up as wavePauses } from './migrations/025-wave-pauses.ts';
import { up as leftFor } from './migrations/026-left-for.ts';
import { up as companyPayment } from './migrations/027-company-payment.ts';
import { up as jobSchedules } from './migrations/028-job-schedules.ts';
import { up as confirmedCalls } from './migrations/029-confirmed-calls.ts';
import { up as formOfChange } from './migrations/030-form-of-change.ts';
import { up as companyTraffic } from './migrations/031-company-traffic.ts';
import { up as countByStatus } from './migrations/032-count-by-status.ts';
import { up as viewInvitations } from './migrations/033-view-invitations.ts';
import { up as activeMonths } from './migrations/034-active-months.ts';
import { up as companyEmail } from './migrations/035-company-email.ts';
import { up as statusCounts } from './migrations/036-status-counts.ts';
import { up as jobSteps } from './migrations/038-job-steps.ts';
import { up as telemetry } from './migrations/039-telemetry.ts';
import { up as deviceUpdates } from './migrations/040-device-updates.ts';
import { up as tasks } from './migrations/041-tasks.ts';
import { up as awaitedDevices } from './migrations/042-awaited-devices.ts';
import { up as devicePasswords } from './migrations/043-device-passwords.ts';
import { up as deviceDetails } from './migrations/044-device-details.ts';
import { up as deviceNotes } from './migrations/046-device-notes.ts';
import { up as monitoring } from './migrations/047-monitoring.ts';
import { up as rollOuts } from './migrations/048-roll-outs.ts';
import { up as taskPlans } from './migrations/050-task-plans.ts';
import { up as removedDevices } from './migrations/051-removed-devices.ts';
import { up as home } from './migrations/053-home.ts';
import { up as signingKeys } from './migrations/058-signing-keys.ts';
import { up as maintenanceWindows } from './migrations/059-maintenance-windows.ts';
import { up as automations } from './migrations/060-automations.ts';
import { up as reports } from './migrations/061-reports.ts';
import { up as newcomers } from './migrations/062-newcomers.ts';
import { up as serialNumbers } from './migrations/063-serial-numbers.ts';
import { up as devicePlaces } from './migrations/064-device-places.ts';
import { up as dashboards } from './migrations/065-dashboards.ts';
import { up as sites } from './migrations/066-sites.ts';
import { up as monitoringTemplates } from './migrations/067-monitoring-templates.ts';
import { up as countsByQuery } from './migrations/068-counts-by-query.ts';
import { up as deviceConfigurations } from './migrations/074-device-configurations.ts';
import { up as vpnHubs } from './migrations/079-vpn-hubs.ts';
import { up as secondModem } from './migrations/080-second-modem.ts';
import { up as backedUpSettings } from './migrations/081-backed-up-settings.ts';
import { up as applications } from './migrations/085-applications.ts';
import { up as independentCompanies } from './migrations/086-independent-companies.ts';
import { up as widerSearch } from './migrations/087-wider-search.ts';
import { up as historySeals } from './migrations/088-history-seals.ts';
import { up as remoteAccess } from './migrations/095-remote-access.ts';
import { up as foundServices } from './migrations/096-found-services.ts';
import { up as remoteClients } from './migrations/105-remote-clients.ts';
import { up as runningHubs } from './migrations/110-running-hubs.ts';
import { up as automationVersions } from './migrations/120-automation-versions.ts';
import { up as alertStorms } from './migrations/121-alert-storms.ts';
import { up as alertConfigurations } from './migrations/122-alert-configurations.ts';
import { up as reportMails } from './migrations/123-report-mails.ts';
import { up as configurationTemplates } from './migrations/130-configuration-templates.ts';
import { up as wireless } from './migrations/140-wireless.ts';
import { up as deviceAdditions } from './migrations/150-device-additions.ts';

/** Every step by its name, in their order. */
export const steps: Record<string, (db: Db, tools: DialectTools) => Promise<void>> = {
  '001-init': init,
  '002-added-forms': addedForms,
  '003-second-factors': secondFactors,
  '004-invitations': invitations,
  '005-job-waves': jobWaves,
  '006-credits': credits,
  '007-memberships': memberships,
  '008-roles-and-services': rolesAndServices,
  '009-accounts': accounts,
  '010-companies-history': companiesHistory,
  '011-ledger': ledger,
  '012-files': files,
  '012-tag-actions': tagActions,
  '013-messages': messages,
  '014-themes': themes,
  '015-mail': mail,
  '016-impersonation': impersonation,
  '017-credit-lists': creditLists,
  '018-mail-servers': mailServers,
  '019-tree-counts': treeCounts,
  '020-grouped-history': groupedHistory,
  '021-metrics-by-day': metricsByDay,
  '022-mail-templates': mailTemplates,
  '023-ledger-numbers': ledgerNumbers,
  '024-views': views,
  '025-wave-pauses': wavePauses,
  '026-left-for': leftFor,
  '027-company-payment': companyPayment,
  '028-job-schedules': jobSchedules,
  '029-confirmed-calls': confirmedCalls,
  '030-form-of-change': formOfChange,
  '031-company-traffic': companyTraffic,
  '032-count-by-status': countByStatus,
  '033-view-invitations': viewInvitations,
  '034-active-months': activeMonths,
  '035-company-email': companyEmail,
  '036-status-counts': statusCounts,
  '038-job-steps': jobSteps,
  '039-telemetry': telemetry,
  '040-device-updates': deviceUpdates,
  '041-tasks': tasks,
  '042-awaited-devices': awaitedDevices,
  '043-device-passwords': devicePasswords,
  '044-device-details': deviceDetails,
  '046-device-notes': deviceNotes,
  '047-monitoring': monitoring,
  '048-roll-outs': rollOuts,
  '050-task-plans': taskPlans,
  '051-removed-devices': removedDevices,
  '053-home': home,
  '058-signing-keys': signingKeys,
  '059-maintenance-windows': maintenanceWindows,
  '060-automations': automations,
  '061-reports': reports,
  '062-newcomers': newcomers,
  '063-serial-numbers': serialNumbers,
  '064-device-places': devicePlaces,
  '065-dashboards': dashboards,
  '066-sites': sites,
  '067-monitoring-templates': monitoringTemplates,
  '068-counts-by-query': countsByQuery,
  '074-device-configurations': deviceConfigurations,
  '079-vpn-hubs': vpnHubs,
  '080-second-modem': secondModem,
  '081-backed-up-settings': backedUpSettings,
  '085-applications': applications,
  '086-independent-companies': independentCompanies,
  '087-wider-search': widerSearch,
  '088-history-seals': historySeals,
  '095-remote-access': remoteAccess,
  '096-found-services': foundServices,
  '105-remote-clients': remoteClients,
  '110-running-hubs': runningHubs,
  '120-automation-versions': automationVersions,
  '121-alert-storms': alertStorms,
  '122-alert-configurations': alertConfigurations,
  '123-report-mails': reportMails,
  '130-configuration-templates': configurationTemplates,
  '140-wireless': wireless,
  '150-device-additions': deviceAdditions,
};

/**
 * Brings the database to the newest schema. Throws with the step's name when one fails; the step is rolled back. Throws ConfigError when a newer
 * version has used the database: its steps are unknown here, and nothing is touched.
 */
export async function migrateToLatest(db: Db, tools: DialectTools): Promise<void> {
  const migrations = Object.fromEntries(
    Object.entries(steps).map(([name, up]): [string, Migration] => [name, { up: (step) => up(step, tools) }]),
  );
  const unknown = (await stepsDone(db)).filter((name) => !Object.hasOwn(steps, name));
  if (unknown.length > 0)
    throw new ConfigError(
      `The database was used by a newer version of Canopy (step ${unknown.join(', ')}). Start that version, or restore a back-up from before.`,
    );
  const { error, results } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateToLatest();
  const failed = results?.find((result) => result.status === 'Error');
  if (error)
    throw new Error(
      `Database step ${failed?.migrationName ?? '(unknown)'} failed: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
}

async function stepsDone(db: Db): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === 'kysely_migration')) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return rows.map(({ name }) => name);
}
