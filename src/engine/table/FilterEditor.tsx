import { useId, useState } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { Button, ChoiceCheckbox, InlineForm, Panel, PanelBody, PanelHead, Segmented, TextInput } from '../../ui/index.ts';
import type { FilterEntry } from '../../../schemas/kit/resources/resource-types.ts';
import type { Resource } from '../resources/resource.ts';
import { columnLabel, valueLabel } from './labels.ts';
import { isNegatable } from './list-state.ts';
import type { FilterValue, ListFilter } from '../resources/registry.ts';
import { LookupFilter } from './LookupFilter.tsx';
import { useFirstFocus } from './use-first-focus.ts';
import { joinValues, splitValues } from '../../../schemas/kit/text/value-list.ts';

export interface FilterEditorProps {
  resource: Resource;
  entry: FilterEntry;
  filter: ListFilter;
  onSet: (filter: ListFilter) => void;
  onClose: () => void;
}

/** Chooses the values of one filter. Choices take effect at once, because the list beside it is the preview; a text waits for Enter. */
export default function FilterEditor({ resource, entry, filter, onSet, onClose }: FilterEditorProps) {
  const t = useT();
  const title = useId();
  const panel = useFirstFocus<HTMLDivElement>();
  const setValues = (values: readonly FilterValue[]) => onSet({ ...filter, values });
  return (
    <Panel ref={panel}>
      <PanelHead>
        <strong id={title}>{columnLabel(resource, entry)}</strong>
        {isNegatable(entry) && filter.values.length > 0 ? (
          <Segmented
            label={t('table.sense')}
            value={filter.negated ? 'is-not' : 'is'}
            options={[
              { value: 'is', label: t('table.senseIs') },
              { value: 'is-not', label: t('table.senseIsNot') },
            ]}
            onChange={(sense) => onSet({ ...filter, negated: sense === 'is-not' })}
          />
        ) : null}
      </PanelHead>
      <PanelBody labelledBy={title}>
        {entry.kind === 'enum' ? (
          <Choices
            options={entry.values.map((value) => ({ value, label: valueLabel(resource, entry.key, value) }))}
            chosen={filter.values}
            onChange={setValues}
          />
        ) : null}
        {entry.kind === 'boolean' ? (
          <Segmented
            label={columnLabel(resource, entry)}
            value={filter.values[0] === true ? 'yes' : filter.values[0] === false ? 'no' : 'any'}
            options={[
              { value: 'any', label: t('table.any') },
              { value: 'yes', label: t('table.yes') },
              { value: 'no', label: t('table.no') },
            ]}
            onChange={(value) => setValues(value === 'any' ? [] : [value === 'yes'])}
          />
        ) : null}
        {entry.kind === 'text' || entry.kind === 'date' ? (
          <TextFilter
            type={entry.kind}
            label={columnLabel(resource, entry)}
            value={filter.values.length > 1 ? joinValues(filter.values) : String(filter.values[0] ?? '')}
            onApply={(value) => {
              setValues(value === '' ? [] : filter.values.length > 1 ? splitValues(value) : [value]);
              onClose();
            }}
          />
        ) : null}
        {entry.kind === 'lookup' ? <LookupFilter resource={resource} entry={entry} values={filter.values} onChange={setValues} /> : null}
      </PanelBody>
    </Panel>
  );
}

interface ChoicesProps {
  options: readonly { value: FilterValue; label: string }[];
  chosen: readonly FilterValue[];
  onChange: (values: FilterValue[]) => void;
}

function Choices({ options, chosen, onChange }: ChoicesProps) {
  return options.map(({ value, label }) => (
    <ChoiceCheckbox
      key={String(value)}
      checked={chosen.includes(value)}
      onChange={(event) => {
        const isOn = event.target.checked;
        // In the order of the list, so that the same choice makes the same address.
        onChange(options.map((option) => option.value).filter((other) => (other === value ? isOn : chosen.includes(other))));
      }}
    >
      {label}
    </ChoiceCheckbox>
  ));
}

interface TextFilterProps {
  label: string;
  type: 'text' | 'date';
  value: string;
  onApply: (value: string) => void;
}

function TextFilter({ label, type, value, onApply }: TextFilterProps) {
  const t = useT();
  const [text, setText] = useState(value);
  return (
    <InlineForm onSubmit={() => onApply(text.trim())}>
      <TextInput type={type} aria-label={label} value={text} onChange={(event) => setText(event.target.value)} />
      <Button type="submit">{t('table.apply')}</Button>
    </InlineForm>
  );
}
