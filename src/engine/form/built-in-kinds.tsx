import { currentLanguage, useT, useText } from '../../kernel/i18n/index.ts';
import { CheckboxField } from '../../ui/fields/CheckboxField.tsx';
import { ColorField } from '../../ui/fields/ColorField.tsx';
import { NumberField } from '../../ui/fields/NumberField.tsx';
import { PasswordField } from '../../ui/fields/PasswordField.tsx';
import { RadioField } from '../../ui/fields/RadioField.tsx';
import { SelectField } from '../../ui/fields/SelectField.tsx';
import { TextAreaField } from '../../ui/fields/TextAreaField.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { registerFieldKind } from './kinds.ts';
import { LookupKind, MultiSelectKind } from './list-kinds.tsx';
import { useChoices } from './choices.ts';
import type { FieldKindProps } from './kinds.ts';

function TextKind({ property, ui, value, control, onChange, onBlur }: FieldKindProps) {
  const text = useText();
  return (
    <TextField
      {...control}
      value={asText(value)}
      onChange={onChange}
      onBlur={onBlur}
      inputMode={property.format === 'email' ? 'email' : undefined}
      placeholder={text(ui['ui:placeholder']) || undefined}
      maxLength={property.maxLength}
      autoComplete={ui['ui:autocomplete'] ?? 'off'}
      hasAutofocus={ui['ui:autofocus']}
      addon={text(ui['ui:addon'])}
      isMonospace={ui['ui:options']?.monospace}
    />
  );
}

function TextAreaKind({ property, ui, value, control, onChange, onBlur }: FieldKindProps) {
  const text = useText();
  return (
    <TextAreaField
      {...control}
      value={asText(value)}
      onChange={onChange}
      onBlur={onBlur}
      rows={ui['ui:options']?.rows}
      placeholder={text(ui['ui:placeholder']) || undefined}
      maxLength={property.maxLength}
      hasAutofocus={ui['ui:autofocus']}
      isMonospace={ui['ui:options']?.monospace}
    />
  );
}

function NumberKind({ property, ui, value, control, onChange, onBlur }: FieldKindProps) {
  const text = useText();
  return (
    <NumberField
      {...control}
      value={typeof value === 'number' || typeof value === 'string' ? value : undefined}
      onChange={onChange}
      onBlur={onBlur}
      format={formatPlain}
      isInteger={property.type === 'integer'}
      placeholder={text(ui['ui:placeholder']) || undefined}
      autoComplete="off"
      hasAutofocus={ui['ui:autofocus']}
      addon={text(ui['ui:addon'])}
    />
  );
}

function CheckboxKind({ label, ui, value, control, onChange, onBlur }: FieldKindProps) {
  return (
    <CheckboxField
      {...control}
      label={label}
      checked={value === true}
      onChange={onChange}
      onBlur={onBlur}
      hasAutofocus={ui['ui:autofocus']}
    />
  );
}

function SelectKind({ property, ui, value, control, onChange, onBlur }: FieldKindProps) {
  const t = useT();
  const text = useText();
  return (
    <SelectField
      {...control}
      value={value}
      choices={useChoices(property, ui)}
      onChange={onChange}
      onBlur={onBlur}
      emptyLabel={text(ui['ui:placeholder']) || t(control['aria-required'] ? 'form.choose' : 'form.none')}
      autoComplete={ui['ui:autocomplete']}
      hasAutofocus={ui['ui:autofocus']}
    />
  );
}

function RadioKind({ property, ui, value, control, onChange, onBlur }: FieldKindProps) {
  return (
    <RadioField
      {...control}
      value={value}
      choices={useChoices(property, ui)}
      onChange={onChange}
      onBlur={onBlur}
      hasAutofocus={ui['ui:autofocus']}
    />
  );
}

function PasswordKind({ property, ui, value, control, onChange, onBlur }: FieldKindProps) {
  const t = useT();
  return (
    <PasswordField
      {...control}
      value={asText(value)}
      onChange={onChange}
      onBlur={onBlur}
      autoComplete={ui['ui:autocomplete'] ?? 'new-password'}
      maxLength={property.maxLength}
      hasAutofocus={ui['ui:autofocus']}
      labels={{
        show: t('form.password.show'),
        hide: t('form.password.hide'),
        generate: t('form.password.generate'),
        copy: t('form.password.copy'),
        copied: t('form.password.copied'),
      }}
    />
  );
}

function ColorKind({ ui, value, control, onChange, onBlur }: FieldKindProps) {
  const t = useT();
  return (
    <ColorField
      {...control}
      value={asText(value)}
      onChange={onChange}
      onBlur={onBlur}
      pickLabel={t('form.color.pick')}
      hasAutofocus={ui['ui:autofocus']}
    />
  );
}

function HiddenKind() {
  return null;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

function formatPlain(value: number): string {
  return new Intl.NumberFormat(currentLanguage(), { useGrouping: false, maximumFractionDigits: 12 }).format(value);
}

registerFieldKind('text', { component: TextKind, layout: 'field' });
registerFieldKind('textarea', { component: TextAreaKind, layout: 'field' });
registerFieldKind('number', { component: NumberKind, layout: 'field' });
registerFieldKind('checkbox', { component: CheckboxKind, layout: 'inline' });
registerFieldKind('select', { component: SelectKind, layout: 'field' });
registerFieldKind('radio', { component: RadioKind, layout: 'group' });
registerFieldKind('lookup', { component: LookupKind, layout: 'field' });
registerFieldKind('multi-select', { component: MultiSelectKind, layout: 'field' });
registerFieldKind('password', { component: PasswordKind, layout: 'field' });
registerFieldKind('color', { component: ColorKind, layout: 'field' });
registerFieldKind('hidden', { component: HiddenKind, layout: 'none' });
