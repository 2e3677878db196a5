import { useState } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { Button, FieldFrame, TextInput } from '../../ui/index.ts';
import styles from './configurator.module.css';
import { isSectionName } from './values.ts';

interface AskSectionNameProps {
  icon: 'plus' | 'copy';
  label: string;
  /** For screen readers, where the label alone does not say what it is about. */
  fullLabel: string;
  onName: (name: string) => void;
}

/** A button that asks for the name of a section that is to be added. */
export function AskSectionName({ icon, label, fullLabel, onName }: AskSectionNameProps) {
  const t = useT();
  const [name, setName] = useState<string>();
  if (name === undefined)
    return (
      <Button icon={icon} variant="ghost" aria-label={fullLabel} onClick={() => setName('')}>
        {label}
      </Button>
    );
  const isWrong = name !== '' && !isSectionName(name);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSectionName(name)) return;
        onName(name);
        setName(undefined);
      }}
    >
      <FieldFrame label={t('configurator.add.name')} error={isWrong ? t('configurator.add.name_wrong') : undefined}>
        {(control) => <TextInput {...control} autoFocus maxLength={32} value={name} onChange={(event) => setName(event.target.value)} />}
      </FieldFrame>
      <div className={styles.buttons}>
        <Button type="submit" disabled={!isSectionName(name)}>
          {t('configurator.add.next')}
        </Button>
        <Button variant="ghost" onClick={() => setName(undefined)}>
          {t('dialogs.cancel')}
        </Button>
      </div>
    </form>
  );
}
