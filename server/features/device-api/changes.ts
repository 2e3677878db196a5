import { compileFormBody } from '../../../schemas/kit/form/compile-body.ts';
import {
  HIDDEN,
  sectionsOf,
  settingOf,
  type ConfigDocument,
  type ConfigSection,
  type DeviceSection,
  type DeviceSettings,
} from '../../../schemas/kit/devices/configuration.ts';
import type { TemplateCall } from '../../../schemas/kit/devices/configuration-template.ts';
import type { JsonValue } from '../../../schemas/kit/form/types.ts';
import { isMembers } from '../../../schemas/kit/form/form-fields.ts';
import { entriesOf, type Entry } from '../../../schemas/kit/devices/entry-lists.ts';
import { InvalidFields, NotFound } from '../../kernel/errors.ts';
import { linesFor, orderLines, planEntries } from './entry-changes.ts';

/** One call of the public API, as it is sent for some devices. With `order` it puts the sections of these names in this order. */
export type ConfigureCall = TemplateCall & { device_id: number[]; order?: string[] };
/** A call whose devices are known already. */
type DeviceCall = Omit<ConfigureCall, 'device_id'>;

/** What changes at one option: null for none, `***` for a secret. Without an item it is the order of the sections: their names. */
export interface Difference {
  section: string;
  item: string;
  option: string;
  before: string | string[] | null;
  after: string | string[] | null;
}

export interface DevicePlan {
  configs: string[];
  /** For `do=` of the command. */
  operations: string[];
  differences: Difference[];
  /** Paths of the sections that are new. */
  added: string[];
}

const PATH = /^\/([A-Za-z0-9_/-]+)\/config(?:\/([A-Za-z0-9_-]{1,64}|\{id\}))?$/;
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

const asText = (value: string | string[]): string => JSON.stringify(value);

/** Throws NOT_FOUND at `source` for a path that the document does not know. */
export function sectionAt({ sections }: ConfigDocument, path: string, source: string): { section: ConfigSection; id: string | undefined } {
  const [, name, id] = PATH.exec(path) ?? [];
  const section = sections.find((one) => one.id === name);
  if (!section) throw new NotFound({}, { source });
  return { section, id };
}

function itemOf(document: ConfigDocument, settings: DeviceSettings, call: DeviceCall, source: string): string | undefined {
  const { section, id } = sectionAt(document, call.path, `${source}.path`);
  if (section.name !== undefined) return section.name;
  if (id !== undefined && id !== '{id}') return id;
  const named = call.query_parameters?.find(({ key }) => key === 'id')?.value;
  if (named !== undefined) return named;
  const search = call.search_elements?.find(({ search_key }) => search_key === 'id');
  if (!search) return undefined;
  const place = sectionAt(document, search.path, `${source}.search_elements`);
  const fits = (one: DeviceSection): boolean =>
    search.elements.every(({ key, value }) => (key === 'id' ? one.id : one.options[key]) === value);
  const found = sectionsOf(settings, place.section).find(fits);
  if (!found) throw new NotFound({}, { source: `${source}.search_elements` });
  return found.id;
}

const withoutNothing = (data: Record<string, JsonValue>): Record<string, JsonValue> =>
  Object.fromEntries(
    Object.entries(data)
      .filter(([, value]) => value !== null && value !== '')
      .map(([key, value]) => [
        key,
        Array.isArray(value) ? value.map((one) => (isMembers(one) ? withoutNothing(one as Entry) : one)) : value,
      ]),
  );

/** Throws INVALID_FIELD at `source` for values that the document does not allow, or that cannot be sent. */
export function assertData({ schema }: ConfigSection, data: Record<string, JsonValue>, source: string): void {
  const [fault] = compileFormBody(schema)(withoutNothing(data));
  if (fault) throw new InvalidFields([{ ...fault, source: `${source}.request_data.data.${fault.source ?? ''}` }]);
  for (const [key, value] of Object.entries(data)) {
    const isKnown = Object.hasOwn(schema.properties, key);
    if (!isKnown || /\p{Cc}/u.test([settingOf(value) ?? ''].flat().join('')))
      throw new InvalidFields([
        {
          source: `${source}.request_data.data.${key}`,
          message: 'This value cannot be sent to a device.',
          params: { key: 'configurator.refused.value' },
        },
      ]);
  }
}

function setOption(
  plan: DevicePlan,
  { section, item, present }: { section: ConfigSection; item: string; present: DeviceSection | undefined },
  [key, value]: [string, JsonValue],
): void {
  const path = `${section.config}.${item}.${key}`;
  const after = settingOf(value);
  const before = present && Object.hasOwn(present.options, key) ? present.options[key] : undefined;
  const isSecret = section.secrets.includes(key);
  if (isSecret && (after === HIDDEN || after === undefined)) return;
  if (!isSecret && (before === undefined ? after === undefined : after !== undefined && asText(before) === asText(after))) return;
  plan.operations.push(...linesFor(path, after));
  const shown = isSecret ? HIDDEN : (after ?? null);
  plan.differences.push({ section: section.id, item, option: key, before: before ?? null, after: shown });
}

function setEntries(plan: DevicePlan, place: Parameters<typeof planEntries>[0], value: JsonValue): void {
  const wanted = Array.isArray(value) ? value.flatMap((one) => (isMembers(one) ? [one as Entry] : [])) : [];
  const { lines, before, after } = planEntries(place, wanted);
  if (lines.length === 0) return;
  plan.operations.push(...lines);
  plan.differences.push({ section: place.section.id, item: place.item, option: place.option, before, after });
}

/** Puts sections in the order that a call names, in the places that they have among all of their kind. `names` is what there is by then. */
function orderSections(plan: DevicePlan, section: ConfigSection, names: string[], { order, source }: { order: string[]; source: string }) {
  if (section.name !== undefined || section.isUnordered)
    throw new InvalidFields([{ source: `${source}.order`, message: 'The order of these sections means nothing.' }]);
  const unknown = order.findIndex((name) => !names.includes(name));
  if (unknown !== -1) throw new NotFound({}, { source: `${source}.order.${unknown}` });
  const queue = [...order];
  const after = names.map((name) => (order.includes(name) ? (queue.shift() ?? name) : name));
  const lines = orderLines(section.config, names, after);
  if (lines.length === 0) return;
  plan.operations.push(...lines);
  plan.differences.push({ section: section.id, item: '', option: 'order', before: [...names], after });
  names.splice(0, names.length, ...after);
}

/**
 * What these calls change on a device that had these settings; nothing where it has all of it already. Throws NOT_FOUND for a section that is not there
 * and INVALID_FIELD for values that the document does not allow, at the place in the call.
 */
export function planChanges(
  document: ConfigDocument,
  settings: DeviceSettings,
  calls: readonly { call: DeviceCall; source: string }[],
): DevicePlan {
  const plan: DevicePlan = { configs: [], operations: [], differences: [], added: [] };
  const configs = new Set<string>();
  const names = new Map<ConfigSection, string[]>();
  const taken = new Map<string, Set<string>>();
  const takenIn = (config: string): Set<string> => {
    const known = taken.get(config) ?? new Set((settings[config] ?? []).map(({ id }) => id));
    taken.set(config, known);
    return known;
  };
  const namesOf = (section: ConfigSection): string[] =>
    names.get(section) ?? names.set(section, sectionsOf(settings, section).map(({ id }) => id)).get(section) ?? []; // prettier-ignore
  for (const { call, source } of calls) {
    const { section } = sectionAt(document, call.path, `${source}.path`);
    if (call.order) {
      const count = plan.operations.length;
      orderSections(plan, section, namesOf(section), { order: call.order, source });
      if (plan.operations.length > count) configs.add(section.config);
      continue;
    }
    const data = call.request_data?.data ?? {};
    const item = itemOf(document, settings, call, source);
    if (item === undefined || !NAME.test(item))
      throw new InvalidFields([{ source: `${source}.query_parameters`, message: 'Say which section is meant.' }]);
    const present = sectionsOf(settings, section).find(({ id }) => id === item);
    const count = plan.operations.length;
    const at = { section, item, present };
    if (call.method === 'delete') {
      if (!present) throw new NotFound({}, { source: `${source}.path` });
      const entries = Object.values(section.lists ?? {}).flatMap((list) => entriesOf(settings, section, list, item));
      plan.operations.push(...[item, ...entries.map(({ id }) => id)].map((name) => `delete ${section.config}.${name}`));
      namesOf(section).splice(namesOf(section).indexOf(item), 1);
      for (const [option, before] of Object.entries(present.options))
        plan.differences.push({ section: section.id, item, option, before, after: null });
    } else {
      assertData(section, data, source);
      const isNew = call.method === 'post';
      const isTaken = (settings[section.config] ?? []).some(({ id }) => id === item);
      if (isNew && isTaken)
        throw new InvalidFields([
          {
            source: `${source}.query_parameters`,
            message: 'The device has a section of this name.',
            params: { key: 'configurator.refused.taken' },
          },
        ]);
      if (!isNew && !present) throw new NotFound({}, { source: `${source}.path` });
      if (isNew) {
        plan.operations.push(`set ${section.config}.${item}=${section.type}`);
        plan.added.push(`/${section.id}/config/${item}`);
        namesOf(section).push(item);
      }
      const nested = (option: string) => section.lists && Object.hasOwn(section.lists, option) && section.lists[option];
      for (const [option, value] of Object.entries(data)) {
        const list = nested(option);
        if (list) setEntries(plan, { section, option, list, item, settings, taken: takenIn(section.config) }, value);
        else setOption(plan, at, [option, value]);
      }
    }
    if (plan.operations.length > count) configs.add(section.config);
  }
  return { ...plan, configs: [...configs] };
}
