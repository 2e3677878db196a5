import type { ButtonHTMLAttributes, Ref } from 'react';

interface PressAreaProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type' | 'aria-pressed'> {
  /** It stays pressed: on or off, said by screen readers. */
  isPressed?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

/** Something on a page that can be pressed and is drawn by what is in it: a line of a list, a count that filters, a picture. */
export function PressArea({ isPressed, ...rest }: PressAreaProps) {
  return <button {...rest} type="button" aria-pressed={isPressed} />;
}
