import { useRef, useState } from 'react';
import { buttonId, type Registry, type WrapIfAdditionalTemplateProps } from '@rjsf/utils';
import { isUsableName } from '../../../../../schemas/kit/form/data-faults.ts';
import { FieldFrame, TextField } from '../../../../ui/index.ts';
import { afterPress } from '../../after-press.ts';
import { contextOf } from '../form-registry-context.ts';
import { elementId } from '../words.ts';
import styles from '../theme.module.css';

/** A member whose name can be changed: the name beside its value, and a button to remove both. */
export function WrapIfAdditionalTemplate(props: WrapIfAdditionalTemplateProps) {
  const { id, label, disabled, readonly, onKeyRename, onRemoveProperty, children, registry, uiSchema } = props;
  const { RemoveButton } = registry.templates.ButtonTemplates;
  const isOff = disabled === true || readonly === true;
  return (
    <div className={styles.member}>
      <KeyField key={label} id={`${elementId(id)}-key`} name={label} disabled={isOff} registry={registry} onRename={onKeyRename} />
      <div className={styles.itemBody}>{children}</div>
      <RemoveButton id={buttonId(id, 'remove')} disabled={isOff} onClick={onRemoveProperty} uiSchema={uiSchema} registry={registry} />
    </div>
  );
}

interface KeyFieldProps {
  id: string;
  name: string;
  disabled: boolean;
  registry: Registry;
  onRename: (name: string) => void;
}

/** The name of a member: taken over when it is left, so that the member is not renamed at every key. */
function KeyField({ id, name, disabled, registry, onRename }: KeyFieldProps) {
  const { t } = contextOf(registry);
  const [typed, setTyped] = useState(name);
  const [refused, setRefused] = useState('');
  const left = useRef(name);
  function handleLeave(): void {
    const wanted = typed.trim();
    setRefused(isUsableName(wanted) ? '' : wanted);
    if (wanted === '' || !isUsableName(wanted)) setTyped(name);
    else if (wanted !== left.current) {
      left.current = wanted;
      onRename(wanted);
    }
  }
  return (
    <FieldFrame id={id} label={t('form.schema.key', { label: name })} error={refused && t('form.schema.bad_name', { name: refused })}>
      {(control) => (
        <TextField
          {...control}
          value={typed}
          disabled={disabled}
          autoComplete="off"
          onChange={setTyped}
          onBlur={() => afterPress(handleLeave)}
        />
      )}
    </FieldFrame>
  );
}
