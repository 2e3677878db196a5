import { toFieldPathId, type GlobalFormOptions, type Registry } from '@rjsf/utils';
import { useMemo } from 'react';
import { uiSchemaOf } from '../../../../schemas/kit/form/ui-schema.ts';
import { useT, useText } from '../../../kernel/i18n/index.ts';
import { afterPress, watchPresses } from '../after-press.ts';
import { keyOf } from '../paths.ts';
import { fields, registeredWidgets, templates } from './registry.ts';
import { stringTranslator } from './rjsf-texts.ts';
import { StoreSchemaField } from './StoreSchemaField.tsx';
import type { FormModel } from '../model-types.ts';
import type { FormRegistryContext, NodeEvents } from './form-registry-context.ts';

/** What rjsf puts in place of the value of a member that is removed; it does not export it. */
function isRemoval(value: unknown): boolean {
  return typeof value === 'symbol';
}

/** Passes reports of a form's nodes to its model. */
function eventsOf(model: FormModel): NodeEvents {
  watchPresses();
  return {
    onChange(value, path) {
      if (value === null && model.valueAt(path) === undefined) model.fillValue(path, value);
      // What rjsf's lists and objects change about their parts goes with a state of their own (order, names): both have to be drawn together.
      else if (isRemoval(value)) model.setValue(path, undefined, true);
      else model.setValue(path, value, typeof value === 'object');
    },
    onBlur(id) {
      const path = model.pathOf(id);
      if (path) afterPress(() => model.leaveField(keyOf(path)));
    },
    onFocus: () => undefined,
  };
}

/** The fields of a form, drawn by rjsf from the form's store. */
export function FormTree({ model, formId }: { model: FormModel; formId: string }) {
  const t = useT();
  const text = useText();
  const { form } = model.module;
  const uiSchema = useMemo(() => uiSchemaOf(form, text), [form, text]);
  const events = useMemo(() => eventsOf(model), [model]);
  const registry = useMemo((): Registry => {
    const { root, utils } = model.schemaData;
    const formContext: FormRegistryContext = { model, uiSchema, events, t, text };
    const globalFormOptions: GlobalFormOptions = {
      idPrefix: `${formId}-root`,
      idSeparator: '-',
      useFallbackUiForUnsupportedType: true,
      experimental_componentUpdateStrategy: 'shallow',
    };
    return {
      fields,
      templates,
      widgets: registeredWidgets(),
      rootSchema: root,
      schemaUtils: utils,
      formContext,
      globalFormOptions,
      globalUiOptions: uiSchema['ui:globalOptions'],
      uiSchemaDefinitions: uiSchema['ui:definitions'] ?? {},
      translateString: stringTranslator(t),
    };
  }, [model, formId, uiSchema, events, t, text]);
  const fieldPathId = useMemo(() => toFieldPathId('', registry.globalFormOptions), [registry]);
  return (
    <StoreSchemaField
      name=""
      schema={model.schemaData.root}
      uiSchema={uiSchema}
      fieldPathId={fieldPathId}
      registry={registry}
      {...events}
    />
  );
}
