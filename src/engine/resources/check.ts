import { checkResources } from '../../../schemas/kit/resources/check-resources.ts';
import { icons } from '../../ui/index.ts';
import { resources } from './all.ts';
import { registeredNames } from './registry.ts';
import type { Resources } from './resource.ts';

/**
 * What is wrong in the resource list, given what is registered now: unknown cells, strips, code actions and icons, each by name with a guess
 * at what was meant. For development and tests; the generic cells come with it, so call it after the rooms have registered theirs.
 */
export async function findRegistrationProblems(entries: Resources = resources): Promise<string[]> {
  await import('../table/generic-cells.tsx');
  // The check reads entries as plain data; ours are the same data, marked as read-only.
  return checkResources(structuredClone(entries) as Parameters<typeof checkResources>[0], {
    ...registeredNames(),
    icons: Object.keys(icons),
  });
}

/** Says in the browser's console what `findRegistrationProblems` finds. */
export async function reportRegistrationProblems(): Promise<void> {
  const problems = await findRegistrationProblems();
  if (problems.length > 0) throw new Error(`resources.config.ts:\n${problems.join('\n')}`);
}
