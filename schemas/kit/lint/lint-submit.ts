import { checkName } from './lint-names.ts';
import type { FormContext } from './lint-names.ts';
import type { JsonPath } from './lint-source.ts';
import { DEFAULT_FILE_BYTES } from '../form/file-fault.ts';
import { didYouMean } from './nearest.ts';
import { DEVICE_VARIABLES, JOB_FILE_BYTES, WEBHOOK_FILE_BYTES } from '../form/types.ts';

// One of: an escaped brace, a placeholder, a brace that is neither.
const BRACES = /\{\{|\{([^{}]*)\}|[{}]/g;

const SHELL = /(?:^|\/)(?:a|ba|da|z|k)?sh$/;

/** Whether an argument is code: the program itself, or the script of a shell (`sh -c script`), in which quoting does not protect. */
function isCode(step: readonly string[], position: number): boolean {
  const option = step[position - 1] ?? '';
  return position === 0 || (/^-[a-z]*c$/.test(option) && step.slice(0, position).some((argument) => SHELL.test(argument)));
}

function checkArgument({ source, fields, names }: FormContext, at: JsonPath, step: readonly string[], position: number): void {
  const device = DEVICE_VARIABLES.map((name) => `device.${name}`);
  for (const [text, name] of (step[position] ?? '').matchAll(BRACES)) {
    // A closing brace alone is a text like any other.
    if (text === '{{' || text === '}') continue;
    if (name === undefined) {
      source.report(at, 'bad-placeholder', 'This brace is never closed; write {{ for a brace.');
    } else if (isCode(step, position)) {
      source.report(
        at,
        'placeholder-in-program',
        position === 0
          ? 'The program is fixed: what people enter goes into its arguments.'
          : 'What people enter must never be part of a script: pass it as a further argument and read it there as "$1".',
      );
    } else if (name.startsWith('device.')) {
      if (!device.includes(name)) source.report(at, 'unknown-variable', `Devices have no "${name}".${didYouMean(name, device)}`);
    } else {
      checkName(source, at, 'field', name, [...names, ...device]);
      const field = fields.get(name);
      const types = [field?.schema.type ?? []].flat();
      if (field?.isGroup || types.includes('object'))
        source.report(at, 'bad-placeholder', `"${name}" holds several values; name one of them, such as {${name}.…}.`);
    }
  }
}

/** Checks where a form goes: commands for devices, webhooks, and the places that show it. */
export function checkSubmit(context: FormContext): void {
  const { source, form, known } = context;
  const { submit, place } = form;
  submit.job?.steps.forEach((step, index) =>
    step.forEach((_argument, position) => checkArgument(context, ['submit', 'job', 'steps', index, position], step, position)),
  );
  checkName(source, ['submit', 'webhook', 'to'], 'webhook', submit.webhook?.to, known.webhooks);
  if (place?.menu && submit.path.includes('{id}'))
    source.report(['place', 'menu'], 'unreachable-place', `${submit.path} needs a record, and the menu gives none.`);
  if (place?.devices?.includes('bulk') && submit.payload !== 'devices')
    source.report(['place', 'devices'], 'unreachable-place', 'A form for several devices needs `"payload": "devices"` or a job.');
  checkFiles(context);
}

function checkFiles({ source, form: { submit }, fields }: FormContext): void {
  const most = submit.job ? JOB_FILE_BYTES : submit.webhook ? WEBHOOK_FILE_BYTES : Infinity;
  const files = [...fields.values()].filter(({ ui }) => ui['ui:widget'] === 'file');
  const [first] = files;
  if (first && submit.encoding !== 'multipart')
    source.report(['ui', first.path, 'ui:widget'], 'wrong-encoding', 'A form with a file is sent with `"encoding": "multipart"`.');
  for (const { path, ui } of files) {
    if ((ui['ui:options']?.maxBytes ?? DEFAULT_FILE_BYTES) > most)
      source.report(
        ['ui', path, 'ui:options', 'maxBytes'],
        'file-too-large',
        `${submit.job ? 'The command of a job' : 'A webhook'} takes files of at most ${most} bytes: write \`"maxBytes": ${most}\` or less.`,
      );
  }
}
