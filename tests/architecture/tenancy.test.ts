import { describe, expect, test } from 'vitest';
import { sourcesBelow, withoutComments } from './sources.ts';

/** Tables whose rows belong to a company. */
const TENANT_TABLES = [
  'companies',
  'users',
  'memberships',
  'tags',
  'task_groups',
  'signing_keys',
  'task_plans',
  'devices',
  'removed_devices',
  'enrolment_codes',
  'jobs',
  'job_targets',
  'device_events',
  'files',
  'audit',
];

/** Whole folders that work for nobody in particular, each with its reason. */
const MACHINERY: Record<string, string> = {
  'server/features/device-channel/': 'a device speaks, not a person; it reaches its own row and the company of its code',
  'server/domain/files/keep-file.ts requireSpace':
    'counts against the quota of a company that its caller has shown to the actor, or that the device is in',
  'server/domain/jobs/':
    'a job was allowed when it was made, and its creator is asked again for each batch (evaluateChunk, run-server-job)',
  'server/features/notifications/deliver.ts': 'the server reports what happened; who hears of it is asked in findRecipients',
  'server/features/notifications/hand-over-alerts.ts':
    'the server reports what is wrong; who hears of it is asked in findMailRecipients, and again in sendTo of alert-mails.ts',
  'server/features/notifications/recipients.ts': 'asks who sees a company, not what somebody sees',
};

/**
 * Functions that read such a table without asking what the actor sees, each with its reason. A new one fails this test until a reason
 * is listed here: the reason is for the reviewer.
 */
const EXCEPTIONS: Record<string, string> = {
  'server/domain/remote/create-remote.ts assertHasData': 'names the company of a device that checkRight has shown to the actor',
  'server/features/credits/charge-data.ts giveFirstData': 'works for nobody: every company begins with the same data',
  'server/features/credits/charge-data.ts takeOffCompany': 'works for nobody: notes in the ledger which device used the data',
  'server/features/remote-access/consents.ts findDeciders': 'asks who may decide, not what somebody sees',
  'server/features/remote-access/consents.ts askConsent': 'reads the name of the caller’s own company',
  'server/features/remote-access/terms.ts readTerms': 'names the company of a device that findTarget has shown to the actor',
  'server/domain/remote/tunnel-carrier.ts createTunnelCarrier':
    'a device that opens its tunnel, by the key that a session of somebody who sees it made',
  'server/features/device-api/change-sets.ts isReviewAsked':
    'answers only whether a company of devices that the caller has found, or one above it, asks for a review',
  'server/features/device-api/configure-kinds.ts keepSettings': 'devices that answered a job',
  'server/features/serial-numbers/serial-numbers.ts letIn': 'a system administrator approves serial numbers of the whole installation',
  'server/features/home/attention.ts readFailed': 'is a condition on jobs of readJobs, which asks isJobVisible',
  'server/features/home/attention.ts readHeld': 'is a condition on jobs of readJobs, which asks isJobVisible',
  'server/features/devices/map.ts readMap': 'counts what matchDevices matches, which begins with isVisible',
  'server/features/devices/map.ts findDevices': 'is given ids of devices that matchDevices has shown to the actor',
  'server/domain/places/open-cells.ts placeByCells':
    'is no call: places devices of all companies by their cells when the server starts, and answers nothing',
  'server/domain/places/put-places.ts findPlaces':
    'works for nobody: writes where devices are after they, or somebody who may change them, said so',
  'server/features/awaited-devices/additions.ts creditEvents': 'targets of the job that the caller of readAddition has made',
  'server/features/devices/pending.ts withJob': 'answers only whether an update of a device that the actor sees waits',
  'server/kernel/tenancy.ts isWithin': 'is the rule itself',
  'server/features/history/seals.ts sealHistory': 'works for nobody: seals what was written, and shows nothing of it',
  'server/features/history/seals.ts expireHistory':
    'works for nobody: removes what is older than the history is kept, and shows nothing of it',
  'server/features/history/seals.ts hashStored': 'a system administrator checks the history of the whole installation',
  'server/features/vpn/store.ts isOfHub':
    'answers only whether the device of a client is still of the company of a hub that the actor was shown',
  'server/features/vpn/zone-helper.ts findAgentDevice':
    'works for nobody: the device that a setting of the operator names as the machine of a zone; nothing of it is shown',
  'server/features/vpn/hub-maintenance.ts makerOf': 'looks up the company of the person in whose name a hub is looked after',
  'server/kernel/auth/required-actions.ts findDone': 'reads the caller itself and the demands of the companies above',
  'server/kernel/auth/required-actions.ts isMfaDemanded': 'answers only whether one of the companies above demands it',
  'server/domain/users/current-user.ts findPerson': 'reads the caller itself',
  'server/domain/users/current-user.ts isShownPayment': 'asks of the caller’s own company and those above only whether one hides a link',
  'server/kernel/auth/memberships.ts findStartCompany': 'nobody is signed in yet',
  'server/kernel/auth/memberships.ts removeMembershipsIn': 'clears up after companies that are deleted for good',
  'server/kernel/auth/memberships.ts listOwnMemberships': 'reads the companies of the caller itself',
  'server/kernel/mail/nearest.ts findNearest':
    'chooses the words and the carrier of a mail of the server for a company at hand; nothing of it is shown',
  'server/sealed-values.ts rewriteConfiguration': 'the operator puts a new key in place, with the server stopped; nothing of it is shown',
  'server/sealed-values.ts rewriteJobs': 'the operator puts a new key in place, with the server stopped; nothing of it is shown',
  'server/domain/devices/quarantine.ts identityFrom': 'reads what a device has said that requireQuarantined has shown to the actor',
  'server/kernel/auth/find-actor.ts findUserActor': 'reads the person behind a job',
  'server/features/account/own-user.ts requireOwnUser': 'reads the caller itself',
  'server/features/account/change-password.ts askForPassword': 'nobody is signed in; the answer does not reveal it',
  'server/features/account/change-email.ts askForEmail':
    'asks whether an address is taken anywhere, as users_email does; the answer does not reveal it',
  'server/features/account/passkey-sign-in.ts signInByPasskey': 'nobody is signed in yet',
  'server/features/account/external-identity.ts requireExternalUser': 'nobody is signed in yet',
  'server/features/account/single-sign-on.ts finish': 'nobody is signed in yet',
  'server/features/account/sign-in.ts signIn': 'nobody is signed in yet',
  'server/features/account/sign-in.ts renewSession': 'reads the owner of the session',
  'server/features/account/confirm-password.ts checkPassword': 'reads the caller itself',
  'server/features/impersonation/impersonate.ts stopImpersonation': 'reads the name of the user on whose behalf the caller acts',
  'server/features/impersonation/consent.ts setLimit': 'reads the caller itself',
  'server/features/set-up/set-up-token.ts isSetUpNeeded': 'asks only whether there is any user',
  'server/features/companies/days.ts recordDays': 'works for nobody: each company is counted for itself',
  'server/features/companies/foreign-tags.ts removeForeignTags': 'takes tags off what moved away from their company',
  'server/features/companies/subtree.ts findSubtree': 'reads below a company that requireCompany has shown to the actor',
  'server/features/companies/repo.ts usersCount': 'is part of a query over visible companies',
  'server/features/companies/repo.ts devicesCount': 'is part of a query over visible companies',
  'server/features/companies/repo.ts findCompanies': 'is given ids of visible companies; the presenter drops what is above them',
  'server/features/companies/remove.ts countContents': 'counts below a company that requireCompany has shown to the actor',
  'server/features/companies/remove.ts assertNoAdministrator': 'looks below a company that requireCompany has shown to the actor',
  'server/features/companies/remove.ts asUndoing': 'names the removal of a company that the actor restores',
  'server/features/companies/removed-repo.ts remover': 'is part of a query over companies that the actor may restore',
  'server/kernel/tenancy.ts idsInTree': 'is the scope itself',
  'server/features/companies/tree-repo.ts countBelow': 'is part of a query over visible companies whose scope has all below them',
  'server/features/companies/tree-repo.ts children': 'is part of a query over visible companies whose scope has all below them',
  'server/features/history/groups.ts firstRows': 'its condition, made by asked(), begins with what the actor sees',
  'server/features/history/undo.ts isUndone': 'says only whether changes that the actor sees have been undone',
  'server/features/history/undo.ts findLater':
    'looks for later changes of a record whose entry the actor sees; only the kind of change is shown',
  'server/features/tags/restore.ts restoreRule': 'asks only whether the account of who set the rule is still there',
  'server/features/tags/restore.ts restoreActions': 'asks only whether the account of who set an action up is still there',
  'server/features/companies/purge.ts purgeCompany': 'works for nobody: what was removed 30 days ago goes',
  'server/features/companies/purge.ts emptyCompany': 'works for nobody: what was removed 30 days ago goes',
  'server/features/companies/purge.ts purgeRemoved': 'works for nobody: what was removed 30 days ago goes',
  'server/features/credits/holdings.ts sumBelow':
    'sums the companies of a page that was read within what the actor sees, with all below them',
  'server/features/credits/numbered-rows.ts hiddenCompanies': 'is the list of companies that nobody sees',
  'server/features/credits/device-credits.ts findPayer':
    'asks who pays for a device that the job has checked; the company above allowed it',
  'server/features/devices/columns.ts emptyAsNull': 'precedes sort expressions that are parts of a scoped query',
  'server/features/health/measure.ts measureHealth':
    'is given devices that requireDevice has shown to the actor, or computes those of everybody',
  'server/features/health/measure.ts readFailures':
    'is given devices that requireDevice has shown to the actor, or computes those of everybody',
  'server/features/health/measure.ts readFirmware':
    'compares with the files of the company of a device and those above; shows nothing of them',
  'server/features/health/measure.ts computeHealth': 'works for nobody: computes the health of all devices',
  'server/domain/devices/custom-fields.ts isOnPath': 'is a condition on values of devices that a scoped query found',
  'server/features/devices/custom-columns.ts valueIn': 'is a part of a scoped query over devices',
  'server/features/devices/custom-columns.ts customText': 'is a part of a scoped query over devices',
  'server/features/devices/custom-columns.ts holds': 'is a part of a scoped query over devices',
  'server/features/devices/export.ts deviceFile': 'joins the names of companies to ids that a scoped query found',
  'server/features/devices/match.ts countAll': 'is a bound for the planner of queries; the number is not shown',
  'server/features/devices/repo.ts findCompanyNames': 'names companies of visible devices; what is above the actor is cut off',
  'server/features/devices/repo.ts findDeviceRows': 'is given ids that a scoped query found',
  'server/features/devices/monitoring-periods.ts changePeriods': 'reads the path below which a device of the job is announced',
  'server/features/devices/monitoring.ts setMonitored': 'reads the path below which a device of the job is announced',
  'server/features/credits/sweep.ts findDue': 'leaves out what is in the bin; works for nobody',
  'server/features/devices/bin.ts requireBin': 'finds or makes the one company that stands for the bin',
  'server/features/devices/bin.ts assertNotJoined':
    'asks only whether the company of a device that the actor sees, or one below it, has another with its number',
  'server/features/devices/bin.ts keptTags':
    'tags of the company of a device that the actor sees, and of those above, as the device had them',
  'server/features/devices/bin.ts asUndoing': 'names the removal of a device that the actor restores',
  'server/features/devices/bin.ts purgeBin': 'works for nobody: what was removed 30 days ago goes',
  'server/features/devices/bin-repo.ts hasJoined': 'is part of a query over removed devices that the actor sees',
  'server/features/devices/batch.ts findPaths': 'reads the paths by which judgeMove decides',
  'server/features/devices/jobs.ts dropForeignTags': 'takes tags off devices that left their company',
  'server/features/device-files/index.ts requireCallingDevice': 'finds a device by its credential',
  'server/features/device-files/index.ts sendFile': 'is given the file of a command that the calling device is at',
  'server/features/device-files/index.ts takeFile': 'reads the company of the calling device',
  'server/features/device-updates/update-kinds.ts unsigned': 'reads the images that an update names already, to check their signatures',
  'server/domain/signatures/signed-files.ts keysFor':
    'keys of the devices’ own companies and those above say what may be put on devices; they are shown to nobody',
  'server/features/tasks/run-due.ts runDuePlans': 'the server runs what is due, each plan with the rights of who set it up',
  'server/features/device-updates/roll-back.ts findImages':
    'images of the visible devices’ own companies and those above, as an update would choose them',
  'server/features/device-updates/roll-back.ts findRestoredSince': 'of devices that were found visible',
  'server/features/device-updates/roll-back.ts putSettingsBack': 'backups of devices that were found visible, of their present company',
  'server/features/device-updates/choose-files.ts chooseNewest':
    'companies offer their firmware to those below them; which file it is for a device is decided by the company of a device that the actor sees',
  'server/features/device-passwords/run-due.ts forgetPasswords': 'forgets what jobs that are over hold, of every person; shows nothing',
  'server/features/device-passwords/settle-targets.ts readEnded': 'is given the targets of a job that ended on them',
  'server/features/device-passwords/settle-targets.ts putOnList': 'names the devices of a job that ended on them, for who started it',
  'server/sealed-values.ts rewritePasswords': 'seals the passwords of all companies again; shows nothing',
  'server/domain/tags/put-tags.ts pairsOf': 'of devices and tags that the caller has found visible',
  'server/features/automations/index.ts registerReading': 'the record of a device that was found visible',
  'server/features/automations/device-rows.ts startLooking':
    'devices of the company of an automation, which is evaluated for all of them; shows nothing',
  'server/domain/places/site-routers.ts routerOf': 'asks whether the router of a site is heard; shows nothing',
  'server/features/automations/raise-alerts.ts findSilent': 'asks which of the devices of alerts are offline; shows nothing',
  'server/features/automations/wait-for-routers.ts releaseSome':
    'names the router of a site in the entries of its own devices, which their readers see',
  'server/features/automations/raise-alerts.ts announceAlerts': 'notifies the followers of the companies that alerts belong to',
  'server/features/device-api/drift.ts compareChunk': 'compares devices with the templates that they follow; shows nothing',
  'server/features/device-api/variables.ts assertNoCircle': 'reads the path of the company of a variable that the actor changes',
  'server/features/monitoring-templates/ask-devices.ts readWanted': 'gives devices what their own templates say; shows nothing',
  'server/features/monitoring-templates/assignments.ts assignTemplates': 'writes for devices that requireDevices found visible',
  'server/features/monitoring-templates/collect.ts readAssigned': 'a device speaks, and reaches its own templates',
  'server/features/automations/service.ts isForOneOf': 'is a filter within a query over visible automations',
  'server/features/reports/job-kind.ts findCompanies': 'the companies of devices that the job found visible',
  'server/features/reports/measure.ts readActions': 'counts what was done on devices that the job found visible',
  'server/features/automations/stored-history.ts addEvents': 'of devices that were found visible, what happened with their present company',
  'server/features/automations/watch.ts pairDue': 'evaluates automations of all companies for their devices; shows nothing',
  'server/features/backup-rules/backup-kind.ts dropOldFiles':
    'removes what a rule made of devices that its job has reached; nothing of it is shown',
  'server/features/backup-rules/backup-kind.ts markFiles': 'marks the files of the job that has just ended',
  'server/features/files/repo.ts findUnusedKeys': 'asks which contents belong to no file at all',
  'server/features/jobs/export.ts exportTargets': 'is given a job that getJob has shown to the actor',
  'server/features/roles/repo.ts columnsFor': 'is a filter within a query over visible roles',
  'server/features/roles/repo.ts findHolderIds':
    'notifies holders that their rights changed, and asks whether there are any; who they are is not shown',
  'server/features/tags/start-runs.ts isPreceded':
    'is a condition over what waits for devices, of every person; startBatch asks for that person',
  'server/features/tags/value-routes.ts carriersOf': 'is part of a query over visible devices',
  'server/features/tasks/check.ts findFile': 'looks among the files of a company whose task group is shown to the actor',
  'server/features/users/accept-invitation.ts requireInvitation': 'nobody is signed in yet; the company is that of the token',
  'server/features/companies/lost-roles.ts dropLostRoles':
    'changes the roles of people of companies that requireCompany has shown to the actor',
  'server/features/users/invitations.ts isMember': 'asks about the company that the actor invites into',
  'server/features/users/repo.ts countMemberships': 'asks whether the actor sees all companies of an account; which ones is not shown',
  'server/features/users/service.ts removeMember': 'looks for the company in which somebody begins from now on; it is not shown',
  'server/features/users/repo.ts countOtherAdministrators': 'asks whether a last administrator is left anywhere',
};

interface Reading {
  place: string;
  tables: string[];
}

/** Top-level functions that select from a tenant table and name no scope. */
function unscopedReadings(): Reading[] {
  const sources = sourcesBelow('server').filter((source) => !source.path.endsWith('.test.ts') && !source.path.includes('/migrations/'));
  return sources.flatMap((source) => {
    const blocks = withoutComments(source.text).split(/\n(?=(?:export )?(?:async )?function |(?:export )?const \w+ = )/);
    return blocks.flatMap((block) => {
      const tables = TENANT_TABLES.filter((table) => new RegExp(`\\.selectFrom\\(\\s*'${table}'|\\b(?:from|join) ${table}\\b`).test(block));
      const isScoped = /\b(?:isVisible|requireCompany|seesCompany|isJobVisible|visible\w+|\w*[Ss]cope\w*)\(/.test(block);
      const name = /^(?:export )?(?:async )?(?:function|const) (\w+)/.exec(block.trimStart())?.[1];
      return tables.length > 0 && !isScoped ? [{ place: `${source.path} ${name ?? '(top)'}`, tables }] : [];
    });
  });
}

describe('records of companies', () => {
  test('are read only within what the actor sees, or for a reason that is listed here', () => {
    const unexplained = unscopedReadings().filter(
      ({ place }) => !(place in EXCEPTIONS) && !Object.keys(MACHINERY).some((folder) => place.startsWith(folder)),
    );
    expect(unexplained).toEqual([]);
  });

  test('no reason has outlived its function', () => {
    const places = new Set(unscopedReadings().map((reading) => reading.place));
    expect(Object.keys(EXCEPTIONS).filter((place) => !places.has(place))).toEqual([]);
  });
});
