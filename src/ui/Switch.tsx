import styles from './Switch.module.css';

interface SwitchProps {
  isOn: boolean;
  label: string;
  onChange(isOn: boolean): void;
}

/** On or off, at once. Its words are part of what is pressed. */
export function Switch({ isOn, label, onChange }: SwitchProps) {
  return (
    <button type="button" role="switch" aria-checked={isOn} className={styles.switch} onClick={() => onChange(!isOn)}>
      <span className={styles.track} aria-hidden="true">
        <span className={styles.knob} />
      </span>
      <span>{label}</span>
    </button>
  );
}
