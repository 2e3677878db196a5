import type { ButtonHTMLAttributes, MouseEvent, ReactNode, Ref } from 'react';
import { Link } from 'react-router';
import { cx } from './cx.ts';
import { Icon, type IconName } from './Icon.tsx';
import { Spinner } from './Spinner.tsx';
import styles from './Button.module.css';

/** `primary`: the one filled button of a page. `danger`: red words. `danger-fill`: the last step of a confirmation. */
export type ButtonVariant = 'default' | 'primary' | 'ghost' | 'link' | 'danger' | 'danger-fill';

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> {
  variant?: ButtonVariant;
  size?: 'medium' | 'small';
  icon?: IconName;
  iconEnd?: IconName;
  /** Waiting for an answer: further clicks are ignored, and the focus stays. */
  isBusy?: boolean;
  /** Whole width of its box. */
  isWide?: boolean;
  /** A page to go to: drawn as a button, works as a link (middle click too). */
  to?: string;
  ref?: Ref<HTMLButtonElement>;
  children?: ReactNode;
}

/** A button with a word. */
export function Button(props: ButtonProps) {
  const {
    variant = 'default',
    size = 'medium',
    icon,
    iconEnd,
    isBusy = false,
    isWide = false,
    to,
    className,
    children,
    onClick,
    ...rest
  } = props;
  const classes = cx(styles.button, styles[variant], size === 'small' && styles.small, isWide && styles.wide, className);
  const content = (
    <>
      {isBusy ? <Spinner size={14} label="" /> : icon ? <Icon name={icon} /> : null}
      {children !== undefined ? <span className={styles.label}>{children}</span> : null}
      {iconEnd ? <Icon name={iconEnd} size={14} /> : null}
    </>
  );
  if (to !== undefined) {
    return (
      <Link to={to} className={classes} id={rest.id} title={rest.title}>
        {content}
      </Link>
    );
  }
  const handleClick = (event: MouseEvent<HTMLButtonElement>) => {
    if (isBusy) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      type="button"
      {...rest}
      className={classes}
      aria-disabled={isBusy || rest['aria-disabled']}
      aria-busy={isBusy || undefined}
      onClick={handleClick}
    >
      {content}
    </button>
  );
}
