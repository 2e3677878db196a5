import {
  buttonId,
  TranslatableString,
  type CyclicSchemaExpandProps,
  type GridTemplateProps,
  type MultiSchemaFieldTemplateProps,
  type OptionalDataControlsTemplateProps,
  type TitleFieldProps,
  type UnsupportedFieldProps,
} from '@rjsf/utils';
import { Banner, Button, cx } from '../../../../ui/index.ts';
import { contextOf } from '../form-registry-context.ts';
import styles from '../theme.module.css';

/** Which schema applies, and what it draws. */
export function MultiSchemaFieldTemplate({ selector, optionSchemaField }: MultiSchemaFieldTemplateProps) {
  return (
    <div className={styles.choice}>
      {selector}
      {optionSchemaField}
    </div>
  );
}

/** A row or a column of `ui:layoutGrid`, in 24 columns as rjsf's themes have them. */
export function GridTemplate({ children, column, className, ...sizes }: GridTemplateProps) {
  if (!column) return <div className={cx(styles.gridRow, className)}>{children}</div>;
  return (
    <div className={cx(styles.gridColumn, className)} style={{ gridColumn: `span ${columnsOf(className, sizes)}` }}>
      {children}
    </div>
  );
}

/** The button that adds or removes the data of an optional object or list. */
export function OptionalDataControlsTemplate({ id, label, onAddClick, onRemoveClick }: OptionalDataControlsTemplateProps) {
  const onClick = onAddClick ?? onRemoveClick;
  if (!onClick) return <em id={id}>{label}</em>;
  return (
    <div>
      <Button size="small" icon={onAddClick ? 'plus' : 'x'} id={id} onClick={onClick}>
        {label}
      </Button>
    </div>
  );
}

/** Where a type holds itself: its next level, on demand. */
export function CyclicSchemaExpandTemplate({ name, fieldPathId, onExpand, registry }: CyclicSchemaExpandProps) {
  const { t } = contextOf(registry);
  return (
    <div className={styles.cell}>
      <Button size="small" icon="chevron-down" id={buttonId(fieldPathId, 'add')} onClick={() => onExpand(fieldPathId.$id)}>
        {t('form.schema.expand', { name })}
      </Button>
    </div>
  );
}

/** What cannot be drawn says so. */
export function UnsupportedFieldTemplate({ reason, registry }: UnsupportedFieldProps) {
  return <Banner kind="warn">{[registry.translateString(TranslatableString.UnsupportedField), reason].filter(Boolean).join(' ')}</Banner>;
}

/** A heading of `ui:layoutGrid`. */
export function TitleFieldTemplate({ id, title }: TitleFieldProps) {
  return (
    <h3 id={id} className={styles.heading}>
      {title}
    </h3>
  );
}

/** Drawn by the frame of the node. */
export function Nothing() {
  return null;
}

const ALL = 24;
/** Bootstrap's classes and MUI's `size` count in twelfths. */
const TWELFTH = 2;

/** How many of 24 columns a part of a row takes: what it says for the widest screens (`md: 12`, `{ span: 12 }`, `size: 6`, `col-md-6`), else the whole row. */
export function columnsOf(className: string | undefined, sizes: Readonly<Record<string, unknown>>): number {
  for (const name of ['span', 'lg', 'md', 'sm', 'xs']) {
    const columns = columnsIn(sizes[name]);
    if (columns !== undefined) return clamp(columns);
  }
  const { size } = sizes;
  const inTwelfths =
    typeof size === 'object' && size !== null
      ? ['lg', 'md', 'sm', 'xs'].map((name) => columnsIn(Reflect.get(size, name)))
      : [columnsIn(size)];
  // `col-md-6`, `col-6`
  const named = /\bcol-(?:[a-z]+-)?(\d+)\b/.exec(className ?? '')?.[1];
  const twelfths = inTwelfths.find((columns) => columns !== undefined) ?? (named === undefined ? undefined : Number(named));
  return twelfths === undefined ? ALL : clamp(twelfths * TWELFTH);
}

function columnsIn(size: unknown): number | undefined {
  if (typeof size === 'number') return size;
  return typeof size === 'object' && size !== null && 'span' in size && typeof size.span === 'number' ? size.span : undefined;
}

function clamp(columns: number): number {
  return Math.min(ALL, Math.max(1, Math.round(columns)));
}
