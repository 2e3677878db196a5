import AntSegmented from 'antd/es/segmented';
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
  return (
    <AntSegmented<V>
      aria-label={label}
      // Its radio buttons take the focus, not the bar.
      tabIndex={-1}
      className={styles.segmented}
      value={value}
      options={options.map((option) => ({
        value: option.value,
        label: option.label,
        icon: option.icon && <Icon name={option.icon} size={14} />,
      }))}
      onChange={onChange}
    />
  );
}
