import { expect, test } from 'vitest';
import { findLateTexts } from './text-use.ts';

const keys = new Map([
  ['common.close', 'common'],
  ['jobs.title', 'jobs'],
  ['jobs.state.done', 'jobs'],
  ['jobs.left_other', 'jobs'],
]);
const problemsOf = (files: Record<string, string>) =>
  findLateTexts(
    Object.entries(files).map(([path, code]) => ({ path, code })),
    { entry: 'src/main.tsx', keys, start: ['common'], excused: new Map() },
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
