import { useId } from 'react';
import { Icon, type IconName } from './Icon.tsx';
import styles from './Segmented.module.css';

interface SegmentedProps<V extends string> {
  /** The choice's name for screen readers. */
  label: string;
  value: V;
  options: readonly { value: V; label: string; icon?: IconName }[];
  onChange(value: V): void;
}

/** One of a few, all in sight: radio buttons drawn as one bar. */
export function Segmented<V extends string>({ label, value, options, onChange }: SegmentedProps<V>) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className={styles.segmented}>
      {options.map((option) => (
        <label key={option.value} className={styles.option}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            className="visually-hidden"
            onChange={() => onChange(option.value)}
          />
          <span className={styles.face}>
            {option.icon ? <Icon name={option.icon} size={14} /> : null}
            {option.label}
          </span>
        </label>
      ))}
    </div>
  );
}
