import type { Area } from '../../../../../schemas/kit/form/area.ts';
import { AreaButton } from '../../area/AreaButton.tsx';
import { contextOf } from '../form-registry-context.ts';
import type { FormWidgetProps } from '../widgets.ts';
import { NumberWidget } from './text-widgets.tsx';
import styles from '../../area/area.module.css';

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** The radius of a round area, with a map that fills in `latitude` and `longitude` beside it too. */
export function AreaWidget(props: FormWidgetProps) {
  const { value, registry, disabled, readonly, onChange } = props;
  const { model, events } = contextOf(registry);
  const present = (): Partial<Area> => {
    const { latitude, longitude } = model.data();
    const known = { latitude: numberOf(latitude), longitude: numberOf(longitude), radius: numberOf(value) };
    return Object.fromEntries(Object.entries(known).filter(([, one]) => one !== undefined));
  };
  return (
    <div className={styles.withButton}>
      <NumberWidget {...props} />
      <AreaButton
        area={present}
        disabled={disabled === true || readonly === true}
        onArea={({ latitude, longitude, radius }) => {
          events.onChange(latitude, ['latitude']);
          events.onChange(longitude, ['longitude']);
          onChange(radius);
        }}
      />
    </div>
  );
}
