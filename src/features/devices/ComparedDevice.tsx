import { useComboboxLabels } from '../../engine/form/theme/widgets/combobox-labels.ts';
import { useLookup } from '../../engine/form/use-lookup.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Combobox, FieldFrame } from '../../ui/index.ts';

const NO_PARAMS: Record<string, string> = {};
const NONE: number[] = [];

/** Another device, whose readings are drawn beside. */
export function ComparedDevice({ value, onChange }: { value: number | undefined; onChange(id: number | undefined): void }) {
  const t = useT();
  const labels = useComboboxLabels(t('devices.compare.none'));
  const lookup = useLookup('devices', NO_PARAMS, value === undefined ? NONE : [value]);
  return (
    <FieldFrame label={t('devices.compare.label')}>
      {(control) => (
        <Combobox
          {...control}
          label={t('devices.compare.label')}
          labels={labels}
          selected={lookup.selected}
          isClearable
          query={lookup.query}
          source={lookup.source}
          onQuery={lookup.setQuery}
          onOpen={lookup.open}
          onSelect={(selected) => {
            lookup.remember(selected);
            const [chosen] = selected;
            onChange(chosen === undefined ? undefined : Number(chosen.value));
          }}
        />
      )}
    </FieldFrame>
  );
}
