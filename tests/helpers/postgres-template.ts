import type { TestProject } from 'vitest/node';
import { startPostgres } from './postgres-server.ts';
import { makeTestTemplate } from './test-database.ts';

/** Starts a PostgreSQL for this run and migrates the database in it that all tests copy. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  try {
    project.provide('databaseTemplate', await makeTestTemplate(server.url));
  } catch (error) {
    await server.stop();
    throw error;
  }
  return () => server.stop();
}
