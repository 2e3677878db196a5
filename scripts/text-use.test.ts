import { expect, test } from 'vitest';
import { findLateTexts, type TextEntry } from './text-use.ts';

const keys = new Map([
  ['common.close', 'common'],
  ['jobs.title', 'jobs'],
  ['jobs.state.done', 'jobs'],
  ['jobs.left_other', 'jobs'],
]);
const start = [{ path: 'src/main.tsx', start: ['common'] }];
const problemsOf = (files: Record<string, string>, entries: readonly TextEntry[] = start) =>
  findLateTexts(
    Object.entries(files).map(([path, code]) => ({ path, code })),
    { entries, keys, excused: new Map() },
  );

test('code of the start that shows texts which are not of the start is named, through any number of imports', () => {
  const files = {
    'src/main.tsx': "import { a } from './a.ts';\nt('common.close');",
    'src/a.ts': "import './b.ts';",
    'src/b.ts': "t('jobs.title');",
  };
  expect(problemsOf(files)).toEqual(['the start loads src/main.tsx without its texts "jobs" (used in src/b.ts)']);
});

test('code that is loaded later brings its texts along, or has them from what loads it', () => {
  const job = { 'src/Job.tsx': 't(`jobs.state.${state}`);', 'src/Left.tsx': "t('jobs.left', { count });" };
  expect(problemsOf({ 'src/main.tsx': "() => import('./Job.tsx')", ...job })).toHaveLength(1);
  expect(problemsOf({ 'src/main.tsx': "withTexts(['jobs'], () => import('./Job.tsx'))", ...job })).toEqual([]);
  expect(problemsOf({ 'src/main.tsx': "withTexts(['jobs'], async () => (await import('./Left.tsx')).Left)", ...job })).toEqual([]);
  const through = { ...job, 'src/Job.tsx': "t('jobs.title');\nlazy(() => import('./Left.tsx'));" };
  expect(problemsOf({ 'src/main.tsx': "withTexts(['jobs'], () => import('./Job.tsx'))", ...through })).toEqual([]);
});

test('what only one of two entries loads has the texts of that one', () => {
  const files = {
    'src/main.tsx': "() => import('./App.tsx'); () => import('./Public.tsx');",
    'src/App.tsx': "() => import('./Job.tsx');",
    'src/Public.tsx': "() => import('./Job.tsx');",
    'src/Job.tsx': "t('jobs.title');",
  };
  const app = { path: 'src/App.tsx', start: ['common', 'jobs'] };
  expect(problemsOf(files, [...start, app])).toEqual(['src/Public.tsx loads src/Job.tsx without its texts "jobs" (used in src/Job.tsx)']);
  expect(problemsOf({ ...files, 'src/Public.tsx': '' }, [...start, app])).toEqual([]);
});
