import { icons, type IconName } from './icons.ts';

export type { IconName } from './icons.ts';

interface IconProps {
  name: IconName;
  /** Pixels; 16 by default. */
  size?: number;
  className?: string;
}

/** A drawing beside a word; says nothing to screen readers. */
export function Icon({ name, size = 16, className }: IconProps) {
  const Drawing = icons[name];
  return <Drawing size={size} strokeWidth={1.75} className={className} aria-hidden="true" focusable="false" />;
}

/** The icon of a name from data, or the fallback when there is none of that name. */
export function findIconName(name: string | undefined, fallback: IconName = 'circle'): IconName {
  return name !== undefined && Object.hasOwn(icons, name) ? (name as IconName) : fallback;
}
