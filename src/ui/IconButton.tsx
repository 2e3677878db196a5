import type { ButtonHTMLAttributes, Ref } from 'react';
import { cx } from './cx.ts';
import { Icon, type IconName } from './Icon.tsx';
import { Tooltip } from './Tooltip.tsx';
import styles from './IconButton.module.css';

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label' | 'children'> {
  icon: IconName;
  /** What it does; its name for everyone: read out, and shown on hover and focus. */
  label: string;
  size?: 'medium' | 'small';
  hasBorder?: boolean;
  isPressed?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

/** A button with a drawing instead of a word. */
export function IconButton({ icon, label, size = 'medium', hasBorder = false, isPressed, className, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label} isName>
      <button
        type="button"
        {...rest}
        aria-label={label}
        aria-pressed={isPressed}
        className={cx(styles.iconButton, size === 'small' && styles.small, hasBorder && styles.border, className)}
      >
        <Icon name={icon} size={size === 'small' ? 14 : 16} />
      </button>
    </Tooltip>
  );
}
