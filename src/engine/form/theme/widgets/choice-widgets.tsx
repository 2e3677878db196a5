import { deepEquals, optionsList, type EnumOptionsType } from '@rjsf/utils';
import { useMemo, useState } from 'react';
import { useT, type Translate } from '../../../../kernel/i18n/index.ts';
import { Checkbox, CheckboxField, Combobox, type ComboboxOption, FieldGroup, RadioField, SelectField } from '../../../../ui/index.ts';
import { baseOf } from '../widget-base.ts';
import { useComboboxLabels } from './combobox-labels.ts';
import type { FormWidgetProps } from '../widgets.ts';
import { includesText } from '../../../../../schemas/kit/text/text-order.ts';

const NO_OPTIONS: EnumOptionsType[] = [];

/** The choices of a node: those that rjsf found, else those of a list's items. */
function useOptions({ options, schema, uiSchema }: FormWidgetProps): EnumOptionsType[] {
  const t = useT();
  const { enumOptions } = options;
  return useMemo(() => {
    const { items } = schema;
    const found =
      enumOptions ??
      (typeof items !== 'object' || Array.isArray(items)
        ? optionsList(schema, uiSchema)
        : optionsList(items, typeof uiSchema?.items === 'object' ? uiSchema.items : uiSchema));
    return found?.map((option) => ({ ...option, label: labelOf(option, t) })) ?? NO_OPTIONS;
  }, [enumOptions, schema, uiSchema, t]);
}

/** What rjsf would write as "null" or as nothing has words. */
function labelOf({ value, label }: EnumOptionsType, t: Translate): string {
  if (value === null && label === 'null') return t('form.schema.null');
  return value === '' && label === '' ? t('form.schema.empty_text') : label;
}

function indexOf(options: readonly EnumOptionsType[], value: unknown): number {
  return options.findIndex((option) => deepEquals(option.value, value));
}

/** One of a few. */
export function SelectWidget(props: FormWidgetProps) {
  return props.multiple ? <MultiSelectWidget {...props} /> : <OneOfFew {...props} />;
}

function OneOfFew(props: FormWidgetProps) {
  const t = useT();
  const { value, options, placeholder, control, onChange } = props;
  const all = useOptions(props);
  // The empty choice of an optional field is null where that is one of the values.
  const offered = control['aria-required'] ? all : all.filter((option) => option.value !== null);
  const nothing = offered.length < all.length ? null : options.emptyValue;
  const index = indexOf(offered, value);
  return (
    <SelectField
      {...baseOf(props)}
      value={index === -1 ? undefined : index}
      choices={offered.map(({ label }, position) => ({ value: position, label }))}
      onChange={(next) => onChange(next === undefined ? nothing : offered[next]?.value)}
      emptyLabel={placeholder || t(control['aria-required'] ? 'form.choose' : 'form.none')}
      autoComplete={options.autocomplete}
    />
  );
}

/** One of a few, all in sight. */
export function RadioWidget(props: FormWidgetProps) {
  const all = useOptions(props);
  const index = indexOf(all, props.value);
  return (
    <RadioField
      {...baseOf(props)}
      value={index === -1 ? undefined : index}
      choices={all.map(({ label }, position) => ({ value: position, label }))}
      onChange={(next) => props.onChange(all[next]?.value)}
    />
  );
}

/** Several of a fixed list. */
export function MultiSelectWidget(props: FormWidgetProps) {
  const { label, value, placeholder, onChange } = props;
  const labels = useComboboxLabels(placeholder);
  const [query, setQuery] = useState('');
  const all = useOptions(props);
  const choices = useMemo(() => all.map((option, index): ComboboxOption => ({ value: index, label: option.label })), [all]);
  const values = Array.isArray(value) ? value : [];
  // What is chosen and no longer offered has a number of its own, behind those of the choices.
  const selected = values.map((chosen, position) => {
    const index = indexOf(all, chosen);
    return choices[index] ?? { value: all.length + position, label: String(chosen) };
  });
  return (
    <Combobox
      {...baseOf(props)}
      label={label}
      labels={labels}
      selected={selected}
      isMultiple
      query={query}
      source={{
        options: choices.filter((option) => includesText(option.label, query.trim())),
        state: 'ready',
        hasMore: false,
        loadMore: ignore,
        retry: ignore,
      }}
      onQuery={setQuery}
      onSelect={(next) => onChange(next.map((option) => valueOf(Number(option.value), all, values)))}
    />
  );
}

function valueOf<V>(index: number, options: readonly EnumOptionsType[], values: readonly V[]): V | EnumOptionsType['value'] {
  return index < options.length ? options[index]?.value : values[index - options.length];
}

function ignore(): void {
  // A fixed list has no further page and nothing that fails.
}

/** Several of a few, all in sight. */
export function CheckboxesWidget(props: FormWidgetProps) {
  const { value, id, onChange } = props;
  const { disabled, onBlur, hasAutofocus, ...control } = baseOf(props);
  const all = useOptions(props);
  const values = Array.isArray(value) ? value : [];
  return (
    <FieldGroup control={control} onLeave={onBlur}>
      {all.map((option, index) => {
        const isChosen = indexOf(all, option.value) === index && values.some((chosen) => deepEquals(chosen, option.value));
        return (
          <div key={option.label}>
            <Checkbox
              id={index === 0 ? id : `${id}-${index}`}
              checked={isChosen}
              disabled={disabled}
              data-autofocus={(hasAutofocus && index === 0) || undefined}
              onChange={() => onChange(all.flatMap((other) => (isIn(values, other.value) !== (other === option) ? [other.value] : [])))}
            >
              {option.label}
            </Checkbox>
          </div>
        );
      })}
    </FieldGroup>
  );
}

function isIn(values: readonly unknown[], value: unknown): boolean {
  return values.some((other) => deepEquals(other, value));
}

/** Not ticked is an answer too, so that it is marked as required only where it must be ticked. */
export function CheckboxWidget(props: FormWidgetProps) {
  const { schema, label, value, onChange, control } = props;
  const mustBeTicked = schema.const === true || (schema.enum?.every((allowed) => allowed === true) ?? false);
  return (
    <CheckboxField
      {...baseOf(props)}
      aria-required={mustBeTicked ? control['aria-required'] : undefined}
      label={label}
      checked={value === true}
      onChange={onChange}
    />
  );
}

/** Its value is kept and sent, and nothing is drawn. */
export function HiddenWidget() {
  return null;
}
