import { settingOf, type ConfigDocument, type ConfigSection } from '../../../schemas/kit/devices/configuration.ts';
import { hasVariable, typedValue, type TemplateCall } from '../../../schemas/kit/devices/configuration-template.ts';
import { isMembers } from '../../../schemas/kit/form/form-fields.ts';
import type { ErrorItem, JsonValue } from '../../../schemas/kit/form/types.ts';
import { itemMessage } from '../../kernel/http/index.ts';

/** A section of a template as it is edited: texts, with variables in double braces. */
export interface EditedSection {
  section: ConfigSection;
  /** Empty while it is searched for. */
  item: string;
  /** Which section of a device is meant, by a value that it has. */
  search: { option: string; value: string } | undefined;
  options: { name: string; text: string }[];
}

const asText = (value: JsonValue): string =>
  Array.isArray(value) && value.some(isMembers) ? JSON.stringify(value) : [settingOf(value) ?? ''].flat().join(', ');

/** A call that the editor cannot show and leaves as it is. */
export interface KeptCall {
  kept: TemplateCall;
  /** The document still has its section, so that it can be saved. */
  isKnown: boolean;
}

export type EditedCall = EditedSection | KeptCall;

/** The section that a call changes by its name, or finds by one value; undefined where it says more. */
function itemOf({ path, method, search_elements: searches = [], query_parameters: parameters = [] }: TemplateCall): string | undefined {
  const [, id] = /\/config(?:\/([A-Za-z0-9_{}-]+))?$/.exec(path) ?? [];
  if (method === 'delete' || searches.length > 1 || (searches[0] && searches[0].elements.length !== 1)) return undefined;
  return id ?? parameters.find(({ key }) => key === 'id')?.value;
}

/** The calls of a template for its editor. */
export function editedCalls(document: ConfigDocument, calls: readonly TemplateCall[]): EditedCall[] {
  return calls.map((call): EditedCall => {
    const [, name] = /^\/([A-Za-z0-9_/-]+)\/config(?:\/|$)/.exec(call.path) ?? [];
    const section = document.sections.find((one) => one.id === name);
    const item = section?.name ?? itemOf(call);
    if (!section || call.method === 'delete' || item === undefined) return { kept: call, isKnown: section !== undefined };
    const element = call.search_elements?.[0]?.elements[0];
    const options = Object.entries(call.request_data?.data ?? {}).map(([key, value]) => ({ name: key, text: asText(value) }));
    const search = element && { option: element.key, value: element.value };
    return { section, item: search ? '' : item, search, options };
  });
}

/** The calls of what was edited. */
export function callsOfEdits(edits: readonly EditedCall[]): TemplateCall[] {
  return edits.map((edited) => {
    if ('kept' in edited) return edited.kept;
    const { section, item, search, options } = edited;
    const data = options.map(({ name, text }) => [name, hasVariable(text) ? text.trim() : typedValue(section, name, text)]);
    const base = `/${section.id}/config`;
    const call = { method: 'put', request_data: { data: Object.fromEntries(data) as Record<string, JsonValue> } } as const;
    if (!search) return { ...call, path: `${base}/${item}` };
    return {
      ...call,
      path: `${base}/{id}`,
      search_elements: [{ search_key: 'id', path: base, elements: [{ key: search.option, value: search.value }] }],
    };
  });
}

/** What the server says of a value: of which section, by its place among those edited, and of which option. */
export interface ValueFault {
  index: number;
  option: string;
  message: string;
}

/** The faults of single values among those that the server named. */
export function valueFaults(items: readonly ErrorItem[]): ValueFault[] {
  return items.flatMap((item): ValueFault[] => {
    const [, index, option] = /^template\.(\d+)\.request_data\.data\.([^.]+)/.exec(item.source ?? '') ?? [];
    return index === undefined || option === undefined ? [] : [{ index: Number(index), option, message: itemMessage(item) }];
  });
}

const textOf = (edited: EditedCall | undefined, option: string): string | undefined =>
  edited && 'options' in edited ? edited.options.find(({ name }) => name === option)?.text : undefined;

/** Whether an option has another value than before. */
export const isEdited = (before: EditedCall | undefined, after: EditedCall, option: string): boolean =>
  textOf(before, option) !== textOf(after, option);

export interface Change {
  place: string;
  option: string;
  before: string;
  after: string;
}

/** The section that a call is about, with what it is found by. */
export const placeOf = ({ path, search_elements }: TemplateCall): string => {
  const element = search_elements?.[0]?.elements[0];
  return element ? path.replace('{id}', `${element.key}=${element.value}`) : path;
};

/** What one version of a template says otherwise than another. */
export function changesBetween(before: readonly TemplateCall[], after: readonly TemplateCall[]): Change[] {
  const [old, next] = [before, after].map(
    (calls) =>
      new Map(
        calls.flatMap((call) =>
          Object.entries(call.request_data?.data ?? {}).map(([option, value]) => [
            JSON.stringify([placeOf(call), option]),
            { place: placeOf(call), option, text: asText(value) },
          ]),
        ),
      ),
  );
  return [...new Set([...(old?.keys() ?? []), ...(next?.keys() ?? [])])].flatMap((key): Change[] => {
    const [one, other] = [old?.get(key), next?.get(key)];
    const known = one ?? other;
    if (!known || one?.text === other?.text) return [];
    return [{ place: known.place, option: known.option, before: one?.text ?? '–', after: other?.text ?? '–' }];
  });
}
