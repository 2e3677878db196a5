import type { FormData } from '../../../schemas/_generated/contract.ts';
import { sourceUrl } from '../../../schemas/kit/devices/api-sources.ts';
import { isPath, type Variable } from '../../../schemas/kit/devices/collected.ts';
import { evaluateExpression } from '../../../schemas/kit/form/expression.ts';
import { InvalidFields } from '../../kernel/errors.ts';
import { RULE_PARAMETERS } from '../../../schemas/kit/form/rule-parameters.ts';

export type TemplateBody = FormData['monitoring-templates/edit'];
/** A source in a body; the form's file says what may be in it. */
interface Given {
  url: string;
  query_parameters?: { key: string; value: string[] }[];
  variables: (Omit<Variable, 'transform'> & { description?: string; transform?: { eval_var?: string; expression?: string } })[];
}

export interface Source {
  url: string;
  query_parameters: { key: string; value: string[] }[];
  variables: (Variable & { description?: string })[];
}

export const MOST_VARIABLES = 200;

/** The name of a variable in the telemetry: `mt12_mem_free`. */
export const metricOf = (templateId: number, variable: string): string =>
  `mt${templateId}_${variable.toLowerCase().replaceAll('-', '_')}`.slice(0, 48);

const RULE_NAMES = new Set(RULE_PARAMETERS.map(({ name }) => name));
const fault = (source: string, key: string, message: string) => ({ source, message, params: { key: `forms.monitoring-templates.${key}` } });

function variableOf({ transform, ...given }: Given['variables'][number]): Source['variables'][number] {
  const { expression, eval_var = 'value' } = transform ?? {};
  return expression === undefined ? given : { ...given, transform: { evaluator: 'arithmetic', eval_var, expression } };
}

// `/ubus/system/info`, `/file/proc/loadavg`, `/command/df`, `/api/modems/status`
const SHAPES = [
  /^\/ubus\/[A-Za-z0-9_.-]{1,64}\/[A-Za-z0-9_.-]{1,64}$/,
  /^\/file\/[A-Za-z0-9_./-]{1,200}$/,
  /^\/command\/[a-z0-9_-]{1,32}$/,
  /^\/api(?:\/[A-Za-z0-9_.-]{1,64}){1,10}$/,
];

/** Whether this is an address of a source that devices know; one of the router's own API may be without `/api`. */
export const isSource = (url: string): boolean => SHAPES.some((shape) => shape.test(sourceUrl(url))) && !url.split('/').includes('..');

/** Whether an expression is one that gives a number for some value: `value / 0` never does. */
const givesNumbers = ({ expression, eval_var }: NonNullable<Variable['transform']>): boolean =>
  [1, 2.5, -3].some((value) => Number.isFinite(evaluateExpression(expression, { [eval_var]: value })));

/** What a body asks for, complete. Throws INVALID_FIELD at each path, transform or name that cannot work. */
export function sourcesOf(body: TemplateBody): Source[] {
  const sources = (body.data as unknown as readonly Given[]).map((one): Source => ({
    url: one.url,
    query_parameters: one.query_parameters ?? [],
    variables: one.variables.map(variableOf),
  }));
  const faults: ReturnType<typeof fault>[] = [];
  const names = new Set<string>();
  for (const [at, { url, query_parameters, variables }] of sources.entries()) {
    if (!isSource(url)) faults.push(fault(`data.${at}.url`, 'no_such_url', 'Enter an address such as /file/proc/loadavg.'));
    if (query_parameters.length > 0 && !/^\/(ubus|api)\//.test(sourceUrl(url)))
      faults.push(fault(`data.${at}.query_parameters`, 'no_parameters', 'Only calls of ubus and of the API take parameters.'));
    for (const [index, { id, filter, transform }] of variables.entries()) {
      const place = `data.${at}.variables.${index}`;
      const metric = metricOf(0, id);
      if (names.has(metric) || RULE_NAMES.has(metric)) faults.push(fault(`${place}.id`, 'same_id', 'Another variable has this name.'));
      names.add(metric);
      if (!isPath(filter)) faults.push(fault(`${place}.filter`, 'no_path', 'Enter a path such as $.fields.MemFree.'));
      if (transform && !givesNumbers(transform))
        faults.push(fault(`${place}.transform.expression`, 'no_expression', 'Enter an expression such as value / 1024.'));
    }
  }
  if (names.size > MOST_VARIABLES) faults.push(fault('data', 'too_many', `A template may have ${MOST_VARIABLES} variables.`));
  if (faults.length > 0) throw new InvalidFields(faults);
  return sources;
}

// `12`, `-3`, `true`
const JSON_WORD = /^(-?(0|[1-9]\d{0,14})|true|false)$/;

/** A source as agent/PROTOCOL.md has it: `file /proc/loadavg`, `command uptime`, `ubus network.device status {"name":"br-lan"}`, `api /modems/status`. */
export function sourceLine({ url, query_parameters }: Pick<Source, 'url' | 'query_parameters'>): string {
  const [, kind = '', ...rest] = sourceUrl(url).split('/');
  if (kind === 'file') return `file /${rest.join('/')}`;
  if (kind === 'command') return `command ${rest[0] ?? ''}`;
  if (kind === 'api') {
    const query = new URLSearchParams(query_parameters.map(({ key, value: [value = ''] }) => [key, value])).toString();
    return `api /${rest.join('/')}${query === '' ? '' : `?${query}`}`;
  }
  const entries = query_parameters.map(
    ({ key, value: [value = ''] }) => `${JSON.stringify(key)}:${JSON_WORD.test(value) ? value : JSON.stringify(value)}`,
  );
  return `ubus ${rest.join(' ')} {${entries.join(',')}}`;
}
