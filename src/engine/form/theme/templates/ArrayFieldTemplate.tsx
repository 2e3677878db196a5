import {
  buttonId,
  getUiOptions,
  type ArrayFieldItemButtonsTemplateProps,
  type ArrayFieldItemTemplateProps,
  type ArrayFieldTemplateProps,
} from '@rjsf/utils';
import { wordsOf } from '../words.ts';
import { ItemContext, useItemNumber } from './item-context.ts';
import { NodeBox } from './NodeBox.tsx';
import styles from '../theme.module.css';

/** A list: its items one below the other, and the button that adds one. */
export function ArrayFieldTemplate(props: ArrayFieldTemplateProps) {
  const { canAdd, disabled, readonly, fieldPathId, uiSchema, items, onAddClick, registry, required, schema, title, optionalDataControl } =
    props;
  const { AddButton } = registry.templates.ButtonTemplates;
  const options = getUiOptions(uiSchema);
  const { hint } = wordsOf(schema, uiSchema, registry);
  return (
    <NodeBox
      fieldPathId={fieldPathId}
      registry={registry}
      title={options.title ?? title}
      hint={hint}
      isRequired={required}
      extra={optionalDataControl}
    >
      <div className={styles.items}>{items}</div>
      {canAdd ? (
        <AddButton
          id={buttonId(fieldPathId, 'add')}
          className="rjsf-array-item-add"
          disabled={disabled || readonly}
          onClick={onAddClick}
          uiSchema={uiSchema}
          registry={registry}
        />
      ) : null}
    </NodeBox>
  );
}

/** One item of a list with its buttons beside it. */
export function ArrayFieldItemTemplate({ children, buttonsProps, hasToolbar, registry, index }: ArrayFieldItemTemplateProps) {
  const { ArrayFieldItemButtonsTemplate: Buttons } = registry.templates;
  return (
    <ItemContext value={index + 1}>
      <div className={styles.item}>
        <div className={styles.itemBody}>{children}</div>
        {hasToolbar ? (
          <div className={styles.itemButtons}>
            <Buttons {...buttonsProps} />
          </div>
        ) : null}
      </div>
    </ItemContext>
  );
}

/** What can be done with an item of a list: moved, copied, removed. */
export function ArrayFieldItemButtonsTemplate(props: ArrayFieldItemButtonsTemplateProps) {
  const { disabled, readonly, hasCopy, hasMoveDown, hasMoveUp, hasRemove, fieldPathId, registry, uiSchema } = props;
  const { CopyButton, MoveDownButton, MoveUpButton, RemoveButton } = registry.templates.ButtonTemplates;
  const number = useItemNumber();
  const common = { uiSchema, registry, 'data-item': number };
  const isOff = disabled === true || readonly === true;
  return (
    <>
      {hasMoveUp || hasMoveDown ? (
        <>
          <MoveUpButton {...common} id={buttonId(fieldPathId, 'moveUp')} disabled={isOff || !hasMoveUp} onClick={props.onMoveUpItem} />
          <MoveDownButton
            {...common}
            id={buttonId(fieldPathId, 'moveDown')}
            disabled={isOff || !hasMoveDown}
            onClick={props.onMoveDownItem}
          />
        </>
      ) : null}
      {hasCopy ? <CopyButton {...common} id={buttonId(fieldPathId, 'copy')} disabled={isOff} onClick={props.onCopyItem} /> : null}
      {hasRemove ? <RemoveButton {...common} id={buttonId(fieldPathId, 'remove')} disabled={isOff} onClick={props.onRemoveItem} /> : null}
    </>
  );
}
