import { useId } from 'react';
import styles from './TimeSlider.module.css';

interface TimeSliderProps {
  label: string;
  /** The last step; the first is 0. */
  most: number;
  value: number;
  /** A step in words. */
  words(value: number): string;
  onChange(value: number): void;
}

/** Goes through moments, by dragging or by arrow keys. */
export function TimeSlider({ label, most, value, words, onChange }: TimeSliderProps) {
  const id = useId();
  return (
    <div className={styles.slider}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="range"
        min={0}
        max={most}
        value={value}
        aria-valuetext={words(value)}
        onChange={(event) => onChange(Number(event.target.value))}
      />
      <output htmlFor={id}>{words(value)}</output>
    </div>
  );
}
