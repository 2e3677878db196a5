import { expect, test } from 'vitest';
import { sourcesBelow } from './sources.ts';

/** Files that call the HTTP client themselves, and why neither Refine's hooks nor the data provider fit. */
const CALLS: Readonly<Record<string, string>> = {
  'src/app/router.tsx': 'ends what the former page waits for',
  'src/app/shell/Notices.tsx': 'asks whether there is a server at all',
  'src/app/start/start.tsx': 'start of the session, before there is a console',
  'src/engine/data/data-provider.ts': 'is the data provider',
  'src/engine/dialogs/MfaDialog.tsx': 'answers a call that waits for a code, on the sign-in page too',
  'src/engine/form/submit.ts': 'forms: uploads with progress, files as answers, jobs',
  'src/engine/remote/EndNotice.tsx': 'an answer to a question of the session, without a list that it is in',
  'src/engine/remote/place.ts': 'a name for the title of the window, which opens without it too',
  'src/engine/remote/remote-socket.ts': 'opens a session, whose answer is used up at once',
  'src/engine/remote/terms.ts': 'asks what a session will cost just before it is opened',
  'src/engine/remote/use-recording.ts': 'a file',
  'src/engine/table/export-list.ts': 'a file',
  'src/features/account/AuthorizePage.tsx': 'an answer that leads out of the console',
  'src/features/account/ConfirmEmailPage.tsx': 'before anybody is signed in',
  'src/features/account/ExternalPage.tsx': 'start of the session',
  'src/features/account/ForgottenPasswordPage.tsx': 'before anybody is signed in',
  'src/features/account/NewPasswordPage.tsx': 'before anybody is signed in',
  'src/features/account/ProfileCard.tsx': 'an upload',
  'src/features/account/ResendConfirmation.tsx': 'start of the session',
  'src/features/account/SignInPage.tsx': 'start of the session',
  'src/features/account/TermsDialog.tsx': 'start of the session',
  'src/features/account/sign-in-methods.ts': 'before anybody is signed in',
  'src/features/automations/BackTest.tsx': 'a computation that somebody asks for',
  'src/features/remote-access/actions.ts': 'opens sessions and asks for scans, whose answers are no records',
  'src/features/reports/save-file.ts': 'a file',
  'src/features/automations/automation-actions.ts': 'several records in one call',
  'src/features/sims/sim-actions.ts': 'the numbers of all records that match, asked for when the action is chosen',
  'src/features/credits/save-report.ts': 'a file',
  'src/features/devices/trends.ts': 'the rows of a page ask together, in one call',
  'src/features/files/PreviewDialog.tsx': 'a file',
  'src/features/files/file-actions.ts': 'files',
  'src/features/forms/studio-api.ts': 'a file',
  'src/features/history/export-history.ts': 'a file',
  'src/features/jobs/job-api.ts': 'a file',
  'src/features/tasks/task-actions.ts': 'a file',
  'src/features/monitoring/TryCard.tsx': 'asks a question, whose answer is the output of a job',
  'src/features/set-up/SetUpPage.tsx': 'before there is anybody',
  'src/features/users/InvitationPage.tsx': 'before anybody is signed in',
  'src/features/vpn/ConfigurationTab.tsx': 'turns single things of a hub on or off, which is no edit of a form',
  'src/features/vpn/ReachCard.tsx': 'asks a question, whose answer is no record',
  'src/features/vpn/toggles.ts': 'turns one record on or off, which is no edit of a form',
  'src/features/wireless/VouchersPage.tsx': 'codes are shown when they are asked for, and kept in no cache',
};

/** Files with queries of their own in the one cache, and why none of Refine's hooks fits. */
const QUERIES: Readonly<Record<string, string>> = {
  'src/engine/form/FormPage.tsx': 'code and record of a form together',
  'src/features/companies/use-company-tree.ts': 'as many queries as branches are open',
  'src/features/configurator/SectionEditor.tsx': 'a form made of a document, no call',
  'src/features/files/PreviewDialog.tsx': 'a file',
  'src/features/forms/FormDocsPage.tsx': 'code of a form',
  'src/features/forms/FormEditorPage.tsx': 'a start text made of several reads',
  'src/features/forms/preview/Preview.tsx': 'code of a form',
  'src/features/roles/use-permissions.ts': 'all pages of a list at once',
  'src/engine/remote/use-recording.ts': 'a file',
  'src/features/themes/BrandingPage.tsx': 'code and record of a form together',
};

// Matches `import { api, failureMessage } from '../../kernel/http/index.ts';`, also over several lines.
const API = /import \{[^}]*\bapi\b[^}]*\} from '[^']*\/http\/index\.ts'/;
// Matches `import { useQuery } from '@tanstack/react-query';`
const HOOK = /import \{[^}]*\buse(?:Query|Queries|InfiniteQuery|Mutation)\b[^}]*\} from '@tanstack\/react-query'/;

const sources = sourcesBelow('src').filter(({ path }) => !/\.test\.tsx?$|test-kit|^src\/kernel\//.test(path));
const matching = (pattern: RegExp): string[] =>
  sources
    .filter(({ text }) => pattern.test(text))
    .map(({ path }) => path)
    .toSorted();

test('the console reads and writes through Refine; a call past it has its reason here', () => {
  expect(matching(API)).toEqual(Object.keys(CALLS).toSorted());
});

test('queries are made by Refine; one of its own has its reason here', () => {
  expect(matching(HOOK)).toEqual(Object.keys(QUERIES).toSorted());
});
