import { checkText } from './lint-form.ts';
import type { KnownNames } from './lint-names.ts';
import { checkSchema } from './lint-schema.ts';
import type { LintSource } from './lint-source.ts';
import { didYouMean } from './nearest.ts';
import { categoryKey, hasTextFor, textKeysOfEntity } from '../form/text-keys.ts';
import type { EntityFile, ErrorsFile, EventsFile, PermissionsFile } from '../form/types.ts';

/** Checks an entity file of the right shape. `id` is what its path says. */
export function checkEntityFile(source: LintSource, entity: EntityFile, id: string, known: KnownNames): void {
  if (entity.id !== id) source.report(['id'], 'wrong-id', `The id must be "${id}", like the name of the file with low lines.`);
  checkText(source, entity.title, ['title'], known.texts);
  checkSchema(source, entity.schema, ['schema'], false);
  const { texts } = known;
  if (!texts) return;
  for (const key of textKeysOfEntity(entity)) {
    const [kind, ...parts] = key.split('.');
    if (hasTextFor(key, texts) || key === entity.title) continue;
    const field = kind === 'values' ? (parts[1] ?? '') : (parts[0] ?? '');
    source.report(['schema', 'properties', field], 'missing-text', `No English text for the key "${key}".${didYouMean(key, texts)}`, 'key');
  }
}

/** Checks `permissions.json`: nothing twice, and a text for each. */
export function checkPermissionsFile(source: LintSource, file: PermissionsFile, known: KnownNames): void {
  const { texts } = known;
  const missing = (keys: string[]): string[] => (texts ? keys.filter((key) => !hasTextFor(key, texts)) : []);
  file.roles.forEach(({ key, id }, index) => {
    if (file.roles.findIndex((other) => other.key === key || other.id === id) < index)
      source.report(['roles', index], 'repeated', `The role ${key} (${id}) is listed twice.`);
    for (const text of missing([`roles.${key}`, `roles.${key}.description`]))
      source.report(['roles', index], 'missing-text', `No English text for the key "${text}".`);
  });
  file.permissions.forEach(({ name, category }, index) => {
    if (file.permissions.findIndex((other) => other.name === name) < index)
      source.report(['permissions', index, 'name'], 'repeated', `The permission "${name}" is listed twice.`);
    for (const text of missing([`permissions.${name}`, `permissions.${name}.description`, categoryKey(category)])) {
      source.report(['permissions', index], 'missing-text', `No English text for the key "${text}".`);
    }
  });
}

/** Checks `errors.json`: a text for each code. */
export function checkErrorsFile(source: LintSource, file: ErrorsFile, known: KnownNames): void {
  for (const code of Object.keys(file.errors)) {
    if (known.texts && !hasTextFor(`errors.${code}`, known.texts))
      source.report(['errors', code], 'missing-text', `No English text for the key "errors.${code}".`, 'key');
  }
}

/** Checks `events.json`: channels, permissions and entities exist. */
export function checkEventsFile(source: LintSource, file: EventsFile, known: KnownNames): void {
  const channels = Object.keys(file.channels);
  for (const [name, { permission }] of Object.entries(file.channels)) {
    if (permission !== 'public' && known.permissions && !known.permissions.has(permission)) {
      source.report(
        ['channels', name, 'permission'],
        'unknown-permission',
        `No permission named "${permission}".${didYouMean(permission, known.permissions)}`,
      );
    }
  }
  for (const [name, { channel, payload }] of Object.entries(file.events)) {
    if (!channels.includes(channel))
      source.report(['events', name, 'channel'], 'unknown-channel', `No channel named "${channel}".${didYouMean(channel, channels)}`);
    if (!('entity' in payload)) checkSchema(source, payload, ['events', name, 'payload'], false);
    else if (known.entities && !known.entities.has(payload.entity)) {
      source.report(
        ['events', name, 'payload', 'entity'],
        'unknown-entity',
        `No entity named "${payload.entity}".${didYouMean(payload.entity, known.entities)}`,
      );
    }
  }
}
