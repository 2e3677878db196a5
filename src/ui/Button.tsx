import AntButton, { type ButtonProps as AntButtonProps } from 'antd/es/button';
import type { ButtonHTMLAttributes, MouseEvent, ReactNode, Ref } from 'react';
import { useHref, useLinkClickHandler } from 'react-router';
import { cx } from './cx.ts';
import { Icon, type IconName } from './Icon.tsx';
import styles from './Button.module.css';

/** `primary`: the one filled button of a page. `danger`: red words. `danger-fill`: the last step of a confirmation. */
export type ButtonVariant = 'default' | 'primary' | 'ghost' | 'link' | 'danger' | 'danger-fill';

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children' | 'color' | 'onClick'> {
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
  onClick?(event: MouseEvent<HTMLElement>): void;
  ref?: Ref<HTMLButtonElement>;
  children?: ReactNode;
}

const VARIANTS: Record<ButtonVariant, Pick<AntButtonProps, 'color' | 'variant'>> = {
  default: { color: 'default', variant: 'outlined' },
  primary: { color: 'primary', variant: 'solid' },
  ghost: { color: 'default', variant: 'text' },
  link: { color: 'primary', variant: 'link' },
  danger: { color: 'danger', variant: 'outlined' },
  'danger-fill': { color: 'danger', variant: 'solid' },
};

/** A button with a word. */
export function Button({ to, ...props }: ButtonProps) {
  return to === undefined ? <PlainButton {...props} /> : <ButtonLink {...props} to={to} />;
}

function PlainButton({ variant, size, icon, iconEnd, isBusy = false, isWide, className, children, type, onClick, ...rest }: ButtonProps) {
  const drawn = drawing({ variant, size, icon, isWide, className });
  return (
    <AntButton
      {...rest}
      {...drawn}
      htmlType={type}
      // Not antd's `loading`: the name of its ring becomes part of the button's.
      icon={isBusy ? <Icon name="loader-circle" className={styles.ring} /> : drawn.icon}
      aria-disabled={isBusy || rest['aria-disabled']}
      aria-busy={isBusy || undefined}
      onClick={(event) => (isBusy ? event.preventDefault() : onClick?.(event))}
    >
      <Label iconEnd={iconEnd}>{children}</Label>
    </AntButton>
  );
}

function ButtonLink({ to, id, title, iconEnd, children, ...props }: ButtonProps & { to: string }) {
  const goThere = useLinkClickHandler<HTMLElement>(to);
  return (
    <AntButton {...drawing(props)} id={id} title={title} href={useHref(to)} onClick={goThere}>
      <Label iconEnd={iconEnd}>{children}</Label>
    </AntButton>
  );
}

function drawing({ variant = 'default', size, icon, isWide, className }: ButtonProps): AntButtonProps {
  return {
    ...VARIANTS[variant],
    size: size === 'small' ? 'small' : 'middle',
    icon: icon && <Icon name={icon} />,
    block: isWide,
    className: cx(styles.button, styles[variant], size === 'small' && styles.small, className),
  };
}

function Label({ iconEnd, children }: Pick<ButtonProps, 'iconEnd' | 'children'>) {
  return (
    <>
      {children === undefined ? null : <span className={styles.label}>{children}</span>}
      {iconEnd ? <Icon name={iconEnd} size={14} /> : null}
    </>
  );
}
