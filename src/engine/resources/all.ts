import { resources as entries } from '../../../resources.config.ts';
import type { Resource, Resources } from './resource.ts';

/** Every resource of the console, as the engine reads it. */
export const resources: Resources = entries;

/** The entry of a name; throws, naming it, when there is none. */
export function getResource(name: string): Resource {
  const resource = resources.find((candidate) => candidate.name === name);
  if (!resource) throw new Error(`No resource named "${name}". Known: ${resources.map((candidate) => candidate.name).join(', ')}`);
  return resource;
}
