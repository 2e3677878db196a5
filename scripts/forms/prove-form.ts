import fc from 'fast-check';
import { compileForm } from '../../schemas/kit/codegen/compile-form.ts';
import { enforcedSchema } from '../../schemas/kit/form/enforced-schema.ts';
import { isMembers } from '../../schemas/kit/form/form-fields.ts';
import { checkForm, type FormModule } from '../../schemas/kit/form/form-validator.ts';
import { loadPatterns } from '../../schemas/kit/patterns/load-patterns.ts';
import type { ErrorItem, FormFile } from '../../schemas/kit/form/types.ts';
import { visibleSchema } from '../../schemas/kit/form/visible-schema.ts';
import { anyDataOf } from '../../tests/contract/arbitrary-data.ts';

export interface Proof {
  name: string;
  faults: string[];
}

const RUNS = 500;

const summary = (items: readonly ErrorItem[]): string =>
  items
    .map(({ source, params }) => `${source ?? 'the whole'}: ${String(params?.['key'])}`)
    .toSorted()
    .join(', ');

/** The body that the console sends: for forms on devices the chosen ones are beside the data. */
export function bodyOf(form: FormFile, data: unknown): unknown {
  return form.submit.payload === 'devices' && isMembers(data) && !('device_id' in data) ? { ...data, device_id: [1] } : data;
}

function proveExamples(form: FormFile, check: (data: unknown) => ErrorItem[]): Proof {
  const faults = form.examples.flatMap((example, index) => {
    const sent = visibleSchema(form, example).data;
    return [example, sent].flatMap((data) =>
      check(bodyOf(form, data)).length > 0 ? [`example ${index + 1}: ${summary(check(bodyOf(form, data)))}`] : [],
    );
  });
  return { name: 'the server takes each example, as it is and as the console sends it', faults };
}

function proveRequired(form: FormFile, check: (data: unknown) => ErrorItem[]): Proof {
  const required = enforcedSchema(form).required ?? [];
  const faults = form.examples.flatMap((example) =>
    required.flatMap((name) => {
      const { [name]: _left, ...rest } = isMembers(example) ? example : {};
      return summary(check(bodyOf(form, rest))).includes(`${name}: validation.required`)
        ? []
        : [`an example without "${name}" is accepted`];
    }),
  );
  return { name: 'each required field is asked for when it is missing', faults };
}

function proveAgreement(form: FormFile, module: FormModule, check: (data: unknown) => ErrorItem[]): Proof {
  const faults: string[] = [];
  const inputs = fc.sample(anyDataOf(form.schema, form.ui), RUNS);
  for (const input of [...form.examples, ...inputs]) {
    const visible = visibleSchema(form, input);
    const here = summary(checkForm(module, visible.data, visible.fields));
    const there = summary(check(bodyOf(form, visible.data)));
    if (here !== there && faults.length < 3)
      faults.push(`${JSON.stringify(visible.data)}: the console says "${here}", the server "${there}"`);
  }
  return { name: `console and server agree on ${RUNS} inputs`, faults };
}

/** Proves of a form what the contract test proves of those that ship. `code` is its compiled module. */
export async function proveForm(form: FormFile, code: string): Promise<Proof[]> {
  const module: FormModule = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  module.usePatterns?.(await loadPatterns());
  const check = compileForm(form);
  return [proveExamples(form, check), proveRequired(form, check), proveAgreement(form, module, check)];
}
