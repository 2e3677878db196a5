import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import cookie from '@fastify/cookie';
import multipart from '@fastify/multipart';
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { Context } from './context.ts';
import { registerAccount } from './features/account/index.ts';
import { registerCompanies } from './features/companies/index.ts';
import { registerAwaitedDevices } from './features/awaited-devices/index.ts';
import { registerDeviceNotes } from './features/device-notes/index.ts';
import { registerDevices } from './features/devices/index.ts';
import { registerCredits } from './features/credits/index.ts';
import { registerDeviceApi } from './features/device-api/index.ts';
import { registerDeviceChannel } from './features/device-channel/index.ts';
import { registerDeviceDetails } from './features/device-details/index.ts';
import { registerEnrolmentCodes } from './features/enrolment-codes/index.ts';
import { registerDeviceFiles } from './features/device-files/index.ts';
import { registerEsim } from './features/esim/index.ts';
import { registerDevicePasswords } from './features/device-passwords/index.ts';
import { registerMonitoringTemplates } from './features/monitoring-templates/index.ts';
import { registerRemotePages } from './features/remote-pages/index.ts';
import { registerRemoteAccess } from './features/remote-access/index.ts';
import { registerReports } from './features/reports/index.ts';
import { registerAutomations } from './features/automations/index.ts';
import { registerOnCall } from './features/on-call/index.ts';
import { registerBackupRules } from './features/backup-rules/index.ts';
import { registerSerialNumbers } from './features/serial-numbers/index.ts';
import { registerSigningKeys } from './features/signing-keys/index.ts';
import { registerMaintenanceWindows } from './features/maintenance-windows/index.ts';
import { registerDeviceUpdates } from './features/device-updates/index.ts';
import { registerFiles } from './features/files/index.ts';
import { registerForms } from './features/forms/index.ts';
import { registerLanguages } from './features/languages/index.ts';
import { registerVpn } from './features/vpn/index.ts';
import { registerWirelessRoom } from './features/wireless/index.ts';
import { registerHealth } from './features/health/index.ts';
import { registerCustomFields } from './features/custom-fields/index.ts';
import { registerSims } from './features/sims/index.ts';
import { registerSites } from './features/sites/index.ts';
import { registerDashboards } from './features/dashboards/index.ts';
import { registerHome } from './features/home/index.ts';
import { registerHistory } from './features/history/index.ts';
import { registerJobs } from './features/jobs/index.ts';
import { registerImpersonation } from './features/impersonation/index.ts';
import { registerMail } from './features/mail/index.ts';
import { registerMfa } from './features/mfa/index.ts';
import { registerViews } from './features/views/index.ts';
import { registerAnnouncements } from './features/announcements/index.ts';
import { registerNetworkMap } from './features/network-map/index.ts';
import { registerNotifications } from './features/notifications/index.ts';
import { registerRemoteDesktop } from './features/remote-desktop/index.ts';
import { registerRemoteFiles } from './features/remote-files/index.ts';
import { registerRemoteTerminal } from './features/remote-terminal/index.ts';
import { registerRoles } from './features/roles/index.ts';
import { registerTelemetry } from './features/telemetry/index.ts';
import { registerThemes } from './features/themes/index.ts';
import { registerServiceAccounts } from './features/service-accounts/index.ts';
import { registerSetUp } from './features/set-up/index.ts';
import { registerStatistics } from './features/statistics/index.ts';
import { registerStorage } from './features/storage/index.ts';
import { registerTags } from './features/tags/index.ts';
import { registerTasks } from './features/tasks/index.ts';
import { registerUsers } from './features/users/index.ts';
import { ok } from './kernel/answer.ts';
import { registerBodyRules } from './kernel/body-rules.ts';
import { registerAccessCheck } from './kernel/http/access-check.ts';
import { registerAgentFile } from './kernel/http/agent-file.ts';
import { registerApiDocs } from './kernel/http/api-docs.ts';
import { registerConsoleFiles } from './domain/console/console-files.ts';
import { registerRecordTags } from './kernel/http/record-tags.ts';
import { registerCompression } from './kernel/http/compression.ts';
import { answerMalformed, registerErrorAnswers, sendBadAddress } from './kernel/http/error-answers.ts';
import { registerHeaders } from './kernel/http/headers.ts';
import { registerLimits } from './kernel/http/limits.ts';
import { sweepUploads } from './kernel/http/uploads.ts';
import { registerListExports } from './kernel/list-exports.ts';
import { route, type App } from './kernel/route.ts';

/** The rooms of the server. Each registers its own routes and job kinds. */
const rooms: ((app: App) => void | Promise<void>)[] = [
  registerAccount,
  registerMfa,
  registerSetUp,
  registerStorage,
  registerViews,
  registerImpersonation,
  registerUsers,
  registerRoles,
  registerThemes,
  registerServiceAccounts,
  registerCompanies,
  registerCredits,
  registerTags,
  registerFiles,
  registerDevices,
  registerDeviceApi,
  registerEnrolmentCodes,
  registerHome,
  registerDashboards,
  registerSites,
  registerSims,
  registerNetworkMap,
  registerCustomFields,
  registerHealth,
  registerVpn,
  registerRemoteAccess,
  registerRemotePages,
  registerWirelessRoom,
  registerRemoteTerminal,
  registerRemoteFiles,
  registerRemoteDesktop,
  registerHistory,
  registerJobs,
  registerDeviceChannel,
  registerDeviceFiles,
  registerTasks,
  registerDeviceDetails,
  registerTelemetry,
  registerDeviceUpdates,
  registerBackupRules,
  // Before the automations: they look at what it reads from collected answers.
  registerMonitoringTemplates,
  registerAutomations,
  registerOnCall,
  registerReports,
  registerSerialNumbers,
  registerSigningKeys,
  registerMaintenanceWindows,
  registerDevicePasswords,
  registerEsim,
  registerDeviceNotes,
  registerAwaitedDevices,
  registerStatistics,
  registerNotifications,
  registerAnnouncements,
  registerMail,
  registerLanguages,
  // The last: form files are judged by the calls of all the others.
  registerForms,
];

const CONSOLE_DIR = fileURLToPath(new URL('../dist/console', import.meta.url));
const REQUEST_TIMEOUT_MS = 120_000;
const BODY_LIMIT = 1024 * 1024;
/** Bytes of an answer that wait for a slow caller, for each of a thousand devices that fetch an image at the same time. Node's default is 64 KiB. */
const WAITING_BYTES = 16 * 1024;

function makeFastify(ctx: Context): FastifyInstance {
  return Fastify({
    loggerInstance: ctx.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: ctx.config.trustProxy.length > 0 ? ctx.config.trustProxy : false,
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: {
      // Any other `Upgrade`, such as h2c, is ignored and the call answered (RFC 9110, 7.8).
      shouldUpgradeCallback: (request) => request.headers.upgrade?.toLowerCase() === 'websocket',
      highWaterMark: WAITING_BYTES,
    },
    routerOptions: { ignoreTrailingSlash: true },
    frameworkErrors: (error, request, reply) => sendBadAddress(ctx, error, request, reply),
    clientErrorHandler: (error, socket) => answerMalformed(ctx, error, socket),
    // What is under way ends by itself; `drain` of server/main.ts gives it some seconds.
    forceCloseConnections: 'idle',
    return503OnClosing: true,
  });
}

/** Builds the HTTP side of the server: hooks in their order, then each room. Listening is the caller's. */
export async function buildApp(ctx: Context, { consoleDir = CONSOLE_DIR }: { consoleDir?: string | undefined } = {}): Promise<App> {
  const fastify = makeFastify(ctx);
  const app: App = { fastify, ctx, routes: [], lists: [], describeMore: [], undos: new Map() };
  fastify.decorateRequest('actor', undefined);
  fastify.decorateRequest('proof', undefined);
  fastify.addHook('onRequest', async (request) => void (request.uploads = new Map()));
  registerErrorAnswers(fastify, ctx);
  registerHeaders(fastify, ctx);
  // @NOTE Before the body rules: nothing of a call is read until it is known who calls and whether they may.
  registerAccessCheck(fastify, ctx);
  registerBodyRules(fastify);
  // @NOTE After the body rules, which remove all parsers first. Only routes that say so read parts.
  await fastify.register(multipart);
  fastify.addHook('onReady', () => sweepUploads(ctx));
  registerConsoleFiles(fastify, ctx, consoleDir);
  await fastify.register(cookie);
  await registerLimits(fastify);
  registerRecordTags(fastify);
  await registerCompression(fastify);

  route(app, {
    method: 'GET',
    path: '/health',
    atRoot: true,
    access: 'public',
    summary: 'Whether the server is up.',
    tag: 'system',
    handler: async () => ok({ status: 'ok' }),
  });
  registerAgentFile(app);
  registerApiDocs(app);
  for (const register of rooms) await register(app);
  registerListExports(app);
  return app;
}
