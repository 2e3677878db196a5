import { useFileWidgetProps } from '@rjsf/utils';
import { useState } from 'react';
import { bytesInDataUrl, fileNameOf } from '../../../../../schemas/kit/form/data-urls.ts';
import { DEFAULT_DATA_URL_LENGTH } from '../../../../../schemas/kit/form/default-bounds.ts';
import { itemOf } from '../../../../../schemas/kit/form/schema-parts.ts';
import { useT } from '../../../../kernel/i18n/index.ts';
import { FileField } from '../../../../ui/index.ts';
import { formatBytes } from '../../../table/format.ts';
import { baseOf } from '../widget-base.ts';
import type { FormWidgetProps } from '../widgets.ts';

/** A file, or several, as `data:` addresses in the data itself, as rjsf keeps them. One that is too large is not read, and says so. */
export function DataUrlWidget(props: FormWidgetProps) {
  const { options, schema, onChange } = props;
  const t = useT();
  const [refused, setRefused] = useState<readonly File[]>([]);
  const isMultiple = props.multiple === true || schema.type === 'array';
  const accept = typeof options.accept === 'string' ? options.accept : undefined;
  const value = Array.isArray(props.value) ? props.value.filter(isText) : isText(props.value) ? props.value : undefined;
  const { filesInfo, handleChange, handleRemove } = useFileWidgetProps(value, onChange, isMultiple);
  const { maxLength = DEFAULT_DATA_URL_LENGTH } = (isMultiple ? itemOf(schema) : schema) ?? {};
  const maxBytes = bytesInDataUrl(Math.min(maxLength, DEFAULT_DATA_URL_LENGTH));

  function handleAdd(files: readonly File[]): void {
    // What is sent at once is bounded, too.
    let room = maxBytes - (isMultiple ? filesInfo.reduce((sum, { size }) => sum + size, 0) : 0);
    const chosen: File[] = [];
    const tooLarge: File[] = [];
    for (const file of isMultiple ? files : files.slice(0, 1)) {
      if (file.size > room) tooLarge.push(file);
      else {
        room -= file.size;
        chosen.push(file);
      }
    }
    setRefused(tooLarge);
    if (chosen.length === 0) return;
    const list = new DataTransfer();
    for (const file of chosen) list.items.add(file);
    void handleChange(list.files);
  }

  return (
    <FileField
      {...baseOf(props)}
      files={[
        ...filesInfo.map(({ dataURL, size }, index) => ({
          key: String(index),
          name: fileNameOf(dataURL ?? '') || t('form.schema.file'),
          size: formatBytes(size),
        })),
        ...refused.map(({ name, size }, index) => ({
          key: `refused ${index}`,
          name,
          size: formatBytes(size),
          fault: t('validation.file.size', { size: formatBytes(maxBytes) }),
        })),
      ]}
      isMultiple={isMultiple}
      accept={accept}
      rules={[accept?.replaceAll(',', ', '), t('form.file.max', { size: formatBytes(maxBytes) })].filter(Boolean).join(' · ')}
      onAdd={handleAdd}
      onRemove={(key) => {
        if (key.startsWith('refused ')) setRefused(refused.filter((_, index) => key !== `refused ${index}`));
        else handleRemove(Number(key));
      }}
    />
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
