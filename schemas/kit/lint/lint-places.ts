import { checkDependsOn } from './lint-depends.ts';
import { checkName } from './lint-names.ts';
import type { FormContext } from './lint-names.ts';

/** Checks where a form's fields and messages stand: `order` and `sections` name what there is, each once, and messages can be shown. */
export function checkPlaces(context: FormContext): void {
  const { source, form, fields, names, known } = context;
  const alerts = Object.keys(form.alerts ?? {});
  const placeable = [...names, ...alerts];
  (form.order ?? []).forEach((name, index) => checkName(source, ['order', index], 'field', name, placeable));
  const sections = new Map<string, number>();
  (form.sections ?? []).forEach((section, index) =>
    section.fields.forEach((name, position) => {
      const at = ['sections', index, 'fields', position];
      checkName(source, at, 'field', name, placeable);
      const before = sections.get(name);
      if (before !== undefined) source.report(at, 'repeated-place', `"${name}" is already in section ${before + 1}.`);
      else sections.set(name, index);
    }),
  );
  for (const [name, alert] of Object.entries(form.alerts ?? {})) {
    if (fields.has(name))
      source.report(['alerts', name], 'repeated-name', `"${name}" is a field; a message needs a name of its own.`, 'key');
    checkName(source, ['alerts', name, 'permission'], 'permission', alert.permission, known.permissions);
    checkDependsOn(context, ['alerts', name, 'depends'], alert.depends);
  }
}
