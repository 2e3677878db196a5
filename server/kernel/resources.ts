import { readFileSync } from 'node:fs';
import { resources, type ResourceName } from '../../resources.config.ts';
import type { PermissionName } from '../../schemas/_generated/contract.ts';
import type { ResourceEntry } from '../../schemas/kit/resources/resource-types.ts';
import type { EntityFile } from '../../schemas/kit/form/types.ts';
import { deriveListRules, type ListExtras, type ListRules } from './list-query.ts';

/** The entry of `resources.config.ts` under this name. */
export function getResource(name: ResourceName): ResourceEntry {
  const entry = resources.find((resource) => resource.name === name);
  if (!entry) throw new Error(`No resource named "${name}"`);
  return entry;
}

/** The permission that shows a resource's list; undefined for a name that is none. */
export function listPermissionOf(name: string): PermissionName | undefined {
  const found: ResourceEntry | undefined = resources.find((resource) => resource.name === name);
  return found?.permission.list;
}

const entitySchemas = new Map<string, EntityFile['schema']>();

/** What a record of an entity looks like on the wire. */
export function entitySchema(entity: string): EntityFile['schema'] {
  const known = entitySchemas.get(entity);
  if (known) return known;
  const url = new URL(`../../schemas/entities/${entity.replaceAll('_', '-')}.json`, import.meta.url);
  const file = JSON.parse(readFileSync(url, 'utf8')) as EntityFile;
  entitySchemas.set(entity, file.schema);
  return file.schema;
}

/** The wire fields of an entity, in the order of its file. */
export function entityFields(entity: string): string[] {
  return Object.keys(entitySchema(entity).properties);
}

/** What a list call may ask of a resource: its entry, its entity's fields, and what the API knows beyond the console's table. */
export function listRulesOf(name: ResourceName, extra: ListExtras = {}): ListRules {
  const entry = getResource(name);
  return deriveListRules(entry, entityFields(entry.entity), extra);
}
