import { sectionsOf, type ConfigDocument, type ConfigSection, type DeviceSettings } from '../../../schemas/kit/devices/configuration.ts';
import {
  fillValue,
  Unfilled,
  type Lookups,
  type TemplateCall,
  type TemplateFault,
} from '../../../schemas/kit/devices/configuration-template.ts';
import type { JsonValue } from '../../../schemas/kit/form/types.ts';
import { AppError, InvalidFields, NotFound } from '../../kernel/errors.ts';
import { assertData, planChanges, sectionAt, type DevicePlan } from './changes.ts';

const NAMED = /\/config\/([A-Za-z0-9_-]{1,64})$/;

/** A list of objects in which a secret is set: templates hold none, and what a device has stays. */
function secretEntry({ lists = {} }: ConfigSection, data: Record<string, JsonValue>): string | undefined {
  return Object.entries(lists).find(([option, { secrets }]) =>
    secrets.some((key) =>
      JSON.stringify(data[option] ?? null)
        .replaceAll('\\', '')
        .includes(`"${key}"`),
    ),
  )?.[0];
}

/** Throws NOT_FOUND and INVALID_FIELD for a template that the document does not allow, at `template.<index>`. Values with variables are judged when these are known. */
export function assertTemplate(document: ConfigDocument, calls: readonly TemplateCall[], hasVariable: (value: unknown) => boolean): void {
  for (const [index, call] of calls.entries()) {
    const source = `template.${index}`;
    const { section } = sectionAt(document, call.path, `${source}.path`);
    for (const search of call.search_elements ?? []) sectionAt(document, search.path, `${source}.search_elements`);
    const data = call.request_data?.data ?? {};
    const unknown = Object.keys(data).find((key) => !Object.hasOwn(section.schema.properties, key));
    if (unknown !== undefined) throw new NotFound({}, { source: `${source}.request_data.data.${unknown}` });
    const secret =
      secretEntry(section, data) ?? section.secrets.find((key) => data[key] !== undefined && data[key] !== null && !hasVariable(data[key]));
    if (secret !== undefined)
      throw new InvalidFields([
        {
          source: `${source}.request_data.data.${secret}`,
          message: 'Secret options take a secret variable only.',
          params: { key: 'forms.configuration-templates.secret_variable' },
        },
      ]);
    assertData(section, Object.fromEntries(Object.entries(data).filter(([, value]) => ![value].flat().some(hasVariable))), source);
  }
}

/** A call as it is for this device: a named section that it has is changed, and one that it lacks is made. */
function fitted(document: ConfigDocument, settings: DeviceSettings, call: TemplateCall, lookups: Lookups): TemplateCall {
  const { section } = sectionAt(document, call.path, 'path');
  const data = Object.fromEntries(
    Object.entries(call.request_data?.data ?? {}).map(([key, value]) => [
      key,
      fillValue(section, key, value, section.secrets.includes(key) ? lookups.all : lookups.open),
    ]),
  );
  const search = call.search_elements?.map((one) => ({
    ...one,
    elements: one.elements.map(({ key, value }) => ({ key, value: String(fillValue(section, '', value, lookups.open)) })),
  }));
  const filled = { ...call, request_data: { data }, ...(search ? { search_elements: search } : {}) };
  const id = section.name ?? NAMED.exec(call.path)?.[1] ?? call.query_parameters?.find(({ key }) => key === 'id')?.value;
  if (call.method === 'delete' || id === undefined) return filled;
  const isThere = sectionsOf(settings, section).some((one) => one.id === id);
  return { ...filled, method: isThere ? 'put' : 'post', query_parameters: [{ key: 'id', value: id }] };
}

/**
 * What a template changes on a device. Without a reading of the device everything is set, and what has to be searched for cannot be.
 * Answers the fault of a template that cannot be worked out for it.
 */
export function planTemplate(
  document: ConfigDocument,
  settings: DeviceSettings | undefined,
  calls: readonly TemplateCall[],
  lookups: Lookups,
): DevicePlan | TemplateFault {
  const setsEntries = ({ path, request_data }: TemplateCall): boolean => {
    const { lists = {} } = document.sections.find(({ id }) => path.startsWith(`/${id}/config`)) ?? {};
    return Object.keys(lists).some((option) => request_data?.data?.[option] !== undefined);
  };
  // Which entries of a list are there decides what is added.
  if (!settings && calls.some((call) => call.search_elements || call.method === 'delete' || setsEntries(call)))
    return { fault: 'NOT_READ', names: '' };
  const known = settings ?? {};
  try {
    const present = calls.filter((call) => !isGone(document, known, call));
    return planChanges(
      document,
      known,
      present.map((call) => ({ call: fitted(document, known, call, lookups), source: call.path })),
    );
  } catch (error) {
    if (error instanceof Unfilled) return error.fault;
    if (!(error instanceof AppError)) throw error;
    const source = error.items[0]?.source ?? '';
    return { fault: error instanceof NotFound ? 'GONE' : 'UNFIT', names: source.split('.').at(-1) ?? '' };
  }
}

/** A section that the template removes and the device does not have. */
function isGone(document: ConfigDocument, settings: DeviceSettings, call: TemplateCall): boolean {
  if (call.method !== 'delete') return false;
  const { section, id } = sectionAt(document, call.path, 'path');
  return id !== undefined && id !== '{id}' && !sectionsOf(settings, section).some((one) => one.id === id);
}
