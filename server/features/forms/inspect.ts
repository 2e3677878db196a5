import { findNodeAtLocation, parseTree, visit, type Node } from 'jsonc-parser';
import { compileFormBody } from '../../../schemas/kit/form/compile-body.ts';
import { compileValidator } from '../../../schemas/kit/codegen/compile-validator.ts';
import { completeForm, type WrittenForm } from '../../../schemas/kit/form/complete-form.ts';
import { enforcedSchema } from '../../../schemas/kit/form/enforced-schema.ts';
import { isMembers } from '../../../schemas/kit/form/form-fields.ts';
import { lintFiles, type FileKind, type LintProblem } from '../../../schemas/kit/lint/lint.ts';
import { withOwnLabels } from '../../../schemas/kit/form/own-labels.ts';
import { readableSchema } from '../../../schemas/kit/form/readable-schema.ts';
import type { FormFile } from '../../../schemas/kit/form/types.ts';
import { CommandError, commandOf, type DeviceVariables } from './command.ts';

/** Something wrong in a form file, at a place that an editor can jump to. */
export type Finding = Omit<LintProblem, 'path'>;

/** What a form file is judged by, beside the rules of the contract. */
export interface FormContext {
  meta: Record<FileKind, object>;
  texts: ReadonlySet<string>;
  resources: ReadonlySet<string>;
  permissions: ReadonlySet<string>;
  lookups: ReadonlySet<string>;
  help: ReadonlySet<string>;
  /** The ids of the forms that ship. */
  shipped: ReadonlySet<string>;
  /** `POST /tags/{id}`: calls that the API has; none of it is checked without. */
  routes?: ReadonlySet<string>;
}

/** What became of a form file: usable with `form` and `code`, or not, with at least one finding. */
export type Inspection =
  { isUsable: true; findings: Finding[]; form: FormFile; code: string } | { isUsable: false; findings: Finding[]; form?: FormFile };

type At = (string | number)[];
type Report = (at: At, code: string, message: string) => void;

/** The device that commands are tried for where none was chosen. */
export const SAMPLE_DEVICE: DeviceVariables = {
  id: 1,
  name: 'device',
  serial: '1106433012',
  mac: '00:1E:42:AB:CD:EF',
  model: 'RUTX50',
  firmware: 'RUTX_R_00.07.14.2',
  company_id: 1,
  company_name: 'company',
};

/** Addresses of the console are below `/forms/docs` and `/forms/edit`. */
const RESERVED_ROOMS = new Set(['docs', 'edit']);

function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

/** Where the value under a path is, or the nearest one above it that is there. */
export function placeOf(text: string, tree: Node | undefined, at: At): { line: number; column: number } {
  const lengths = tree ? at.map((_, index) => at.length - index) : [];
  const length = lengths.find((candidate) => tree && findNodeAtLocation(tree, at.slice(0, candidate)));
  const node = tree && length !== undefined ? findNodeAtLocation(tree, at.slice(0, length)) : tree;
  return lineAndColumn(text, node?.offset ?? 0);
}

/** Members that JavaScript takes for something else when an object is made of them. */
function findPrototypeKeys(text: string): Finding[] {
  const found: Finding[] = [];
  visit(text, {
    onObjectProperty(name, _offset, _length, line, character) {
      if (name === '__proto__')
        found.push({ line: line + 1, column: character + 1, code: 'bad-name', message: '"__proto__" cannot be used as a name here.' });
    },
  });
  return found;
}

function checkPlace(form: FormFile, { routes }: FormContext, report: Report): void {
  const { job, webhook, method, path } = form.submit;
  const [room = ''] = form.id.split('/');
  if (RESERVED_ROOMS.has(room)) report(['id'], 'reserved-room', `The room "${room}" is taken by the console.`);
  if (form.permission === 'public' && (job || webhook))
    report(['permission'], 'public-run', 'A form that starts a job or calls a webhook needs a permission.');
  if (!job && !webhook && routes && !routes.has(`${method} ${path}`))
    report(['submit', 'path'], 'unknown-route', `The API has no call ${method} ${path}.`);
  const asksForDevices = Object.hasOwn(form.schema.properties ?? {}, 'device_id');
  if (form.submit.payload === 'devices' && asksForDevices && form.schema.required?.includes('device_id'))
    report(
      ['schema', 'required'],
      'devices-required',
      '"device_id" cannot be required: devices that were chosen before the form opened are sent beside it.',
    );
  if (form.place?.company && form.submit.payload === 'devices')
    report(['place', 'company'], 'unreachable-place', 'A form for devices cannot be on the page of a company: it would have none.');
  if (form.submit.payload === 'devices' && form.place?.menu && !asksForDevices)
    report(
      ['place', 'menu'],
      'needs-devices',
      'Opened from the menu no devices are chosen yet: give the form a field "device_id" with the widget "device-select".',
    );
}

/** Tries the command on each example: what the linter cannot see, such as a list inside a text. */
function checkCommand(form: FormFile, report: Report): void {
  const { job } = form.submit;
  if (!job) return;
  try {
    for (const example of form.examples) commandOf(job, isMembers(example) ? example : {}, SAMPLE_DEVICE);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    report(['submit', 'job', 'steps', error.step, error.argument], 'bad-command', error.message);
  }
}

/**
 * Judges the text of an added form: the contract's linter, then what needs the rest of the installation (names taken, calls of the API), and the
 * command template tried on each example. Compiles it for the browser when nothing is wrong. Pure but for the time that it takes.
 */
export function inspectForm(id: string, text: string, around: FormContext): Inspection {
  const { meta, texts, resources, permissions, lookups, help } = around;
  const path = `added/${id}.form.json`;
  const problems = lintFiles([{ path, text }], { meta, texts, resources, known: { permissions, lookups, help, forms: around.shipped } });
  const findings: Finding[] = [...problems.map(({ path: _path, ...finding }) => finding), ...findPrototypeKeys(text)];
  if (findings.length > 0) return { isUsable: false, findings };
  // The linter has found the text to be JSON of the shape of a form.
  const written = completeForm(JSON.parse(text) as WrittenForm);
  const form = withOwnLabels({ ...written, schema: readableSchema(written.schema) });
  const tree = parseTree(text);
  const report: Report = (at, code, message) => findings.push({ ...placeOf(text, tree, at), code, message });
  checkPlace(form, around, report);
  checkCommand(form, report);
  if (findings.length > 0) return { isUsable: false, findings, form };
  try {
    compileFormBody(enforcedSchema(form));
    const { code, json } = compileValidator(form, { isAdded: true });
    // As text that is parsed: in a literal some names would mean something.
    return { isUsable: true, findings, form, code: `${code}export const form = JSON.parse(${JSON.stringify(json)});\n` };
  } catch (error) {
    report(['schema'], 'bad-schema', `The schema cannot be compiled: ${error instanceof Error ? error.message : String(error)}.`);
    return { isUsable: false, findings, form };
  }
}
