import { DEFAULT_FILE_BYTES, fileFault } from '../../../../../schemas/kit/form/file-fault.ts';
import { englishText } from '../../../../../schemas/kit/form/messages.ts';
import { useT, type Translate } from '../../../../kernel/i18n/index.ts';
import { FileField } from '../../../../ui/index.ts';
import { formatBytes } from '../../../table/format.ts';
import { heldFile, holdFile, releaseFiles } from '../../files.ts';
import { itemText } from '../../item-text.ts';
import type { Explanation } from '../../../../../schemas/kit/form/explain-format.ts';
import type { FieldUi, JsonSchema, JsonValue } from '../../../../../schemas/kit/form/types.ts';
import { baseOf } from '../widget-base.ts';
import type { FormWidgetProps } from '../widgets.ts';

/** One file, or several where the schema is a list. What the form holds are tokens of `files.ts`. */
export function FileWidget(props: FormWidgetProps) {
  const { schema, options, value, onChange } = props;
  const t = useT();
  const { accept, maxBytes = DEFAULT_FILE_BYTES } = rulesOf(options);
  const isMultiple = schema.type === 'array';
  const base = baseOf(props);
  const tokens = tokensOf(value);

  function set(next: string[]): void {
    onChange(isMultiple ? next : next[0]);
    // A file is chosen at once and as a whole, so it is judged at once.
    base.onBlur();
  }

  function handleAdd(files: readonly File[]): void {
    const added = (isMultiple ? files : files.slice(0, 1)).map(holdFile);
    if (added.length === 0) return;
    if (!isMultiple) releaseFiles(tokens);
    set(isMultiple ? [...tokens, ...added] : added);
  }

  return (
    <FileField
      {...base}
      files={tokens.map((token) => {
        const file = heldFile(token);
        // A single file's fault is below the field already.
        const fault = isMultiple ? heldFault(token, { 'ui:options': options }) : undefined;
        return { key: token, name: file?.name ?? token, size: file ? formatBytes(file.size) : '', fault: fault && wordsOf(fault, t) };
      })}
      isMultiple={isMultiple}
      accept={accept}
      rules={[accept?.replaceAll(',', ', '), t('form.file.max', { size: formatBytes(maxBytes) })].filter(Boolean).join(' · ')}
      onAdd={handleAdd}
      onRemove={(token) => {
        releaseFiles([token]);
        set(tokens.filter((other) => other !== token));
      }}
    />
  );
}

/** Size, kind and name of the chosen files, before anything is sent. */
export function filesFault(value: JsonValue, { property, ui }: { property: JsonSchema; ui: FieldUi }): Explanation | undefined {
  const faults = tokensOf(value).flatMap((token) => heldFault(token, ui) ?? []);
  return isMany(property) && faults.length > 0 ? { key: 'validation.file.some', params: {} } : faults[0];
}

function heldFault(token: string, ui: FieldUi): Explanation | undefined {
  const file = heldFile(token);
  return file ? fileFault(file, ui, formatBytes) : { key: 'validation.file.gone', params: {} };
}

function wordsOf({ key, params }: Explanation, t: Translate): string {
  return itemText({ code: 'INVALID_FIELD', message: englishText(key, params), params: { ...params, key } }, undefined, t);
}

function isMany({ type }: JsonSchema): boolean {
  return type === 'array';
}

function rulesOf({ accept, maxBytes }: FormWidgetProps['options']): { accept?: string; maxBytes?: number } {
  return { accept: typeof accept === 'string' ? accept : undefined, maxBytes: typeof maxBytes === 'number' ? maxBytes : undefined };
}

function tokensOf(value: JsonValue | undefined): string[] {
  return (Array.isArray(value) ? value : [value]).filter((token): token is string => typeof token === 'string' && token !== '');
}
