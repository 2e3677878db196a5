import { useFileWidgetProps } from '@rjsf/utils';
import { useT } from '../../../../kernel/i18n/index.ts';
import { FileField } from '../../../../ui/index.ts';
import { formatBytes } from '../../../table/format.ts';
import { baseOf } from '../widget-base.ts';
import type { FormWidgetProps } from '../widgets.ts';

/** A file, or several, as `data:` addresses in the data itself, as rjsf keeps them. */
export function DataUrlWidget(props: FormWidgetProps) {
  const { options, schema, onChange } = props;
  const t = useT();
  const isMultiple = props.multiple === true || schema.type === 'array';
  const accept = typeof options.accept === 'string' ? options.accept : undefined;
  const value = Array.isArray(props.value) ? props.value.filter(isText) : isText(props.value) ? props.value : undefined;
  const { filesInfo, handleChange, handleRemove } = useFileWidgetProps(value, onChange, isMultiple);

  function handleAdd(files: readonly File[]): void {
    const chosen = new DataTransfer();
    for (const file of files) chosen.items.add(file);
    void handleChange(chosen.files);
  }

  return (
    <FileField
      {...baseOf(props)}
      files={filesInfo.map(({ name, size }, index) => ({
        key: String(index),
        name: name || t('form.schema.file'),
        size: formatBytes(size),
      }))}
      isMultiple={isMultiple}
      accept={accept}
      rules={accept?.replaceAll(',', ', ') ?? ''}
      onAdd={handleAdd}
      onRemove={(key) => handleRemove(Number(key))}
    />
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
