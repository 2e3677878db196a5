import MultiSchemaField from '@rjsf/core/lib/components/fields/MultiSchemaField.js';
import type { FieldProps, Registry, SchemaUtilsType } from '@rjsf/utils';
import { useMemo } from 'react';
import { keyOf } from '../paths.ts';
import { contextOf } from './form-registry-context.ts';

/**
 * rjsf's choice between schemas, which stays as it was chosen while somebody enters what is in it: rjsf would look for the closest schema at each key, and
 * half a number may be closer to another one.
 */
export function ChoiceField(props: FieldProps) {
  const { registry, fieldPathId } = props;
  const key = keyOf(fieldPathId.path);
  const kept = useMemo((): Registry => {
    const { model } = contextOf(registry);
    const { utils } = model.schemaData;
    const own = Object.create(utils) as SchemaUtilsType;
    own.getClosestMatchingOption = (data, options, selected, ...rest) =>
      selected !== undefined && model.isEditedInside(key) ? selected : utils.getClosestMatchingOption(data, options, selected, ...rest);
    return { ...registry, schemaUtils: own };
  }, [registry, key]);
  return <MultiSchemaField {...props} registry={kept} />;
}
