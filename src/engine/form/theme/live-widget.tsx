import { useCallback, useEffect, useSyncExternalStore, type ComponentType } from 'react';
import type { RJSFSchema, WidgetProps } from '@rjsf/utils';
import { fieldsOf } from '../../../../schemas/kit/form/form-fields.ts';
import { type ControlAttributes, FieldFrame } from '../../../ui/index.ts';
import { keyOf } from '../paths.ts';
import { choiceKey } from '../shown-value.ts';
import { contextOf } from './form-registry-context.ts';
import { elementId, wordsOf } from './words.ts';
import type { ErrorItem, JsonValue } from '../../../../schemas/kit/form/types.ts';
import type { FormWidgetProps, RegisteredWidget } from './widgets.ts';

/** rjsf draws the choice between schemas with a widget that belongs to no value: `…__oneof_select`. */
const CHOICE = /__(one|any)of_select$/;

const NOTHING: readonly ErrorItem[] = [];

/**
 * A widget as rjsf's registry takes it, fed from the form's store: what is typed shows at once, in the control alone, and nothing above it is drawn
 * for that.
 */
export function liveWidget({ component: Widget, layout = 'field' }: RegisteredWidget): ComponentType<WidgetProps> {
  return function LiveWidget(props: WidgetProps) {
    const { model, t } = contextOf(props.registry);
    const isChoice = CHOICE.test(props.id);
    const path = isChoice ? undefined : model.pathOf(props.id);
    const choice: unknown = isChoice ? props.value : undefined;
    const keyword = props.id.endsWith('__oneof_select') ? 'oneOf' : 'anyOf';
    const count = props.options.enumOptions?.length ?? 0;
    useEffect(() => {
      const chosenAt = typeof choice === 'number' ? model.pathOf(props.id.replace(CHOICE, '')) : undefined;
      return chosenAt && typeof choice === 'number' ? model.noteChoice(choiceKey(keyOf(chosenAt), keyword, count), choice) : undefined;
    }, [model, props.id, choice, keyword, count]);
    const key = path && keyOf(path);
    const subscribe = useCallback(
      (listener: () => void) => (key === undefined ? ignore : model.listen('value', key, listener)),
      [model, key],
    );
    const value: JsonValue | undefined = useSyncExternalStore(subscribe, () => (path ? model.valueAt(path) : props.value));
    const id = elementId(props.id);
    const label = props.label || (isChoice ? t('form.schema.variant') : '');
    const control = controlOf({ ...props, id, label }, layout);
    const widget = (
      <Widget
        {...props}
        schema={ownSchema(props.schema)}
        id={id}
        label={label}
        value={value}
        control={control}
        items={key === undefined ? NOTHING : itemsInside(model.items(key), key)}
        onChange={(next: JsonValue | undefined, ...rest) => {
          // An emptied text of the form's own fields is judged when it is sent; elsewhere rjsf's `ui:emptyValue` is what it becomes.
          const isEmptied = next === '' && !props.schema.enum?.includes('') && !(key !== undefined && fieldsOf(model.module.form).has(key));
          // Where there was nothing, rjsf's report of null would count as one that nobody entered.
          if (next === null && path) model.setValue(path, next);
          props.onChange(isEmptied ? props.options.emptyValue : next, ...rest);
        }}
        onBlur={(_, left) => props.onBlur(props.id, left)}
      />
    );
    if (!isChoice) return widget;
    return (
      <FieldFrame id={id} label={label} layout={layout === 'none' ? 'inline' : layout}>
        {() => widget}
      </FieldFrame>
    );
  };
}

/** rjsf hands on the form file's own schema under a type of its own. */
function ownSchema(schema: RJSFSchema): FormWidgetProps['schema'] {
  return schema as FormWidgetProps['schema'];
}

function ignore(): void {
  // The value of such a widget is its parent's business.
}

/** What ties a control to the frame that `FieldTemplate` draws around it. */
function controlOf(
  { id, label, hideLabel, required, rawErrors = [], schema, uiSchema, registry }: WidgetProps,
  layout: RegisteredWidget['layout'],
): ControlAttributes {
  const { hint, subtext } = CHOICE.test(id) ? { hint: '', subtext: '' } : wordsOf(schema, uiSchema, registry);
  const hasMessage = rawErrors.some((message) => message !== '');
  const describedBy = [hasMessage && `${id}-error`, hint && `${id}-hint`, subtext && `${id}-subtext`].filter(Boolean).join(' ');
  return {
    id,
    'aria-invalid': rawErrors.length > 0 || undefined,
    'aria-describedby': describedBy || undefined,
    'aria-required': required || undefined,
    ...(layout === 'group' && !hideLabel ? { 'aria-labelledby': `${id}-label` } : {}),
    ...(hideLabel && layout !== 'inline' ? { 'aria-label': label } : {}),
  };
}

/** The items with their place inside the node: `rows.2.port` → `2.port` at the node `rows`, empty for the node as a whole. */
function itemsInside(
  { server, client }: { server: readonly ErrorItem[]; client: readonly ErrorItem[] },
  key: string,
): readonly ErrorItem[] {
  if (server.length === 0 && client.length === 0) return NOTHING;
  return [...server, ...client].map((item) => ({
    ...item,
    source: key === '' ? (item.source ?? '') : (item.source ?? key).slice(key.length + 1),
  }));
}
