import AntdSwitch from 'antd/es/switch';
import styles from './Switch.module.css';

interface SwitchProps {
  isOn: boolean;
  label: string;
  onChange(isOn: boolean): void;
}

/** On or off, at once. Its words are part of what is pressed. */
export function Switch({ isOn, label, onChange }: SwitchProps) {
  return (
    <label className={styles.switch}>
      <AntdSwitch checked={isOn} onChange={onChange} />
      <span>{label}</span>
    </label>
  );
}
