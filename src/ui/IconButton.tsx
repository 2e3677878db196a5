import AntButton from 'antd/es/button';
import type { ButtonHTMLAttributes, MouseEvent, Ref } from 'react';
import { cx } from './cx.ts';
import { Icon, type IconName } from './Icon.tsx';
import { Tooltip } from './Tooltip.tsx';
import styles from './IconButton.module.css';

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label' | 'children' | 'color' | 'onClick'> {
  icon: IconName;
  /** What it does; its name for everyone: read out, and shown on hover and focus. */
  label: string;
  size?: 'medium' | 'small';
  hasBorder?: boolean;
  isPressed?: boolean;
  onClick?(event: MouseEvent<HTMLElement>): void;
  ref?: Ref<HTMLButtonElement>;
}

/** A button with a drawing instead of a word. */
export function IconButton({ icon, label, size = 'medium', hasBorder = false, isPressed, className, type, ...rest }: IconButtonProps) {
  const isSmall = size === 'small';
  return (
    <Tooltip text={label} isName>
      <AntButton
        {...rest}
        color="default"
        variant={hasBorder ? 'outlined' : 'text'}
        size={isSmall ? 'small' : 'middle'}
        htmlType={type}
        aria-label={label}
        aria-pressed={isPressed}
        className={cx(styles.iconButton, isSmall && styles.small, className)}
        icon={<Icon name={icon} size={isSmall ? 14 : 16} />}
      />
    </Tooltip>
  );
}
