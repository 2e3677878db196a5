import type { TestProject } from 'vitest/node';
import { makeTestTemplate } from './test-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    databaseTemplate: string;
  }
}

/** Migrates the database that all tests copy, once for the run and before any of them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const template = await makeTestTemplate();
  project.provide('databaseTemplate', template.source);
  return () => template.remove();
}
