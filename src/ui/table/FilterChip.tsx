import { ChevronDown, X } from 'lucide-react';

export interface FilterChipProps {
  label: string;
  /** What is chosen, in words: "Nordic Fleet", "is not 07.14.2", "any". */
  value: string;
  /** Nothing is chosen: the chip is a quiet offer and cannot be removed. */
  empty?: boolean;
  removeLabel: string;
  expanded: boolean;
  onOpen: (anchor: HTMLElement) => void;
  onRemove: () => void;
}

/** One filter of the bar: its name and value open the editor, the cross takes it away. */
export function FilterChip({ label, value, empty = false, removeLabel, expanded, onOpen, onRemove }: FilterChipProps) {
  return (
    <span className="filter-chip">
      <button
        type="button"
        className="filter-chip-open"
        aria-haspopup="dialog"
        aria-expanded={expanded}
        onClick={(event) => onOpen(event.currentTarget)}
      >
        <span className="filter-chip-label">{label}</span>{' '}
        <strong className="filter-chip-value" title={value.length > 40 ? value : undefined}>
          {value}
        </strong>
        {empty ? <ChevronDown size={13} className="filter-chip-mark" aria-hidden /> : null}
      </button>
      {empty ? null : (
        <button type="button" className="filter-chip-remove" aria-label={removeLabel} title={removeLabel} onClick={onRemove}>
          <X size={13} aria-hidden />
        </button>
      )}
    </span>
  );
}
