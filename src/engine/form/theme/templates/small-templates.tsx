import { useRef, useState } from 'react';
import {
  buttonId,
  TranslatableString,
  type CyclicSchemaExpandProps,
  type GridTemplateProps,
  type MultiSchemaFieldTemplateProps,
  type OptionalDataControlsTemplateProps,
  type TitleFieldProps,
  type UnsupportedFieldProps,
  type WrapIfAdditionalTemplateProps,
} from '@rjsf/utils';
import { Banner, Button, cx, FieldFrame, TextField } from '../../../../ui/index.ts';
import { contextOf } from '../form-registry-context.ts';
import { elementId } from '../words.ts';
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

/** A member whose name can be changed: the name beside its value, and a button to remove both. */
export function WrapIfAdditionalTemplate(props: WrapIfAdditionalTemplateProps) {
  const { id, label, disabled, readonly, onKeyRename, onRemoveProperty, children, registry, uiSchema } = props;
  const { t } = contextOf(registry);
  const { RemoveButton } = registry.templates.ButtonTemplates;
  const isOff = disabled === true || readonly === true;
  return (
    <div className={styles.member}>
      <FieldFrame id={`${elementId(id)}-key`} label={t('form.schema.key', { label })}>
        {(control) => <KeyField key={label} control={control} name={label} disabled={isOff} onRename={onKeyRename} />}
      </FieldFrame>
      <div className={styles.itemBody}>{children}</div>
      <RemoveButton id={buttonId(id, 'remove')} disabled={isOff} onClick={onRemoveProperty} uiSchema={uiSchema} registry={registry} />
    </div>
  );
}

interface KeyFieldProps {
  control: Parameters<Parameters<typeof FieldFrame>[0]['children']>[0];
  name: string;
  disabled: boolean;
  onRename: (name: string) => void;
}

/** The name of a member: taken over when it is left, so that the member is not renamed at every key. */
function KeyField({ control, name, disabled, onRename }: KeyFieldProps) {
  const [typed, setTyped] = useState(name);
  const left = useRef(name);
  return (
    <TextField
      {...control}
      value={typed}
      disabled={disabled}
      autoComplete="off"
      onChange={setTyped}
      onBlur={() => {
        const wanted = typed.trim();
        if (wanted === '') setTyped(name);
        else if (wanted !== left.current) {
          left.current = wanted;
          onRename(wanted);
        }
      }}
    />
  );
}

/** A row or a column of `ui:layoutGrid`, in twelfths of its row. */
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

const ALL = 12;

/** How many twelfths of a row a column takes: what it says for the widest screens (`md: 6`, `{ span: 6 }`, `col-md-6`), else the whole row. */
export function columnsOf(className: string | undefined, sizes: Readonly<Record<string, unknown>>): number {
  for (const name of ['span', 'lg', 'md', 'sm', 'xs', 'size']) {
    const size = sizes[name];
    if (typeof size === 'number') return clamp(size);
    if (typeof size === 'object' && size !== null && 'span' in size && typeof size.span === 'number') return clamp(size.span);
  }
  // `col-md-6`, `col-6`
  const named = /\bcol-(?:[a-z]+-)?(\d+)\b/.exec(className ?? '')?.[1];
  return named === undefined ? ALL : clamp(Number(named));
}

function clamp(columns: number): number {
  return Math.min(ALL, Math.max(1, Math.round(columns)));
}
