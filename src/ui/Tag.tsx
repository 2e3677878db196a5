import AntTag from 'antd/es/tag';
import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import { IconButton } from './IconButton.tsx';
import { tagColors } from './tag-colors.ts';
import styles from './Tag.module.css';

interface TagProps {
  /** Any `#rrggbb`; grey without one. */
  color?: string | null;
  className?: string;
  /** Draws a cross that takes the chip away; `label` names the deed ("Remove ferry"). */
  remove?: { label: string; onRemove(): void };
  children: ReactNode;
}

/** A coloured chip whose text reads in both modes, whatever the colour: antd corrects none. Its cross is a button, antd's cannot be reached by keyboard. */
export function Tag({ color, className, remove, children }: TagProps) {
  const { light, dark } = tagColors(color);
  return (
    <AntTag
      bordered={false}
      className={cx(styles.tag, className)}
      style={{ background: `light-dark(${light.tint}, ${dark.tint})`, color: `light-dark(${light.ink}, ${dark.ink})` }}
    >
      <span className={styles.text}>{children}</span>
      {remove ? <IconButton icon="x" label={remove.label} size="small" className={styles.remove} onClick={remove.onRemove} /> : null}
    </AntTag>
  );
}
