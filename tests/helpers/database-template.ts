import type { TestProject } from 'vitest/node';
import { makeTestTemplate, removeTestTemplate, type TestTemplate } from './test-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    databaseTemplate: TestTemplate;
  }
}

/** Migrates the SQLite file that all tests copy, once for the run and before any of them. */
export default async function setup(project: TestProject): Promise<() => void> {
  const template = await makeTestTemplate();
  project.provide('databaseTemplate', template);
  return () => removeTestTemplate(template);
}
