import { useT } from '../../kernel/i18n/index.ts';
import { PasswordInput } from '../../ui/index.ts';
import { EntryDialog } from './EntryDialog.tsx';
import type { TryEntry } from '../../kernel/http/index.ts';
import type { DialogHandle } from './registry.ts';

export interface PasswordConfirmationProps {
  tryPassword: TryEntry;
}

/** Asks for the user's own password before a call goes on; stays open while it is wrong. */
export default function PasswordConfirmation({ dialog, tryPassword }: PasswordConfirmationProps & { dialog: DialogHandle<true> }) {
  const t = useT();
  return (
    <EntryDialog
      dialog={dialog}
      title={t('password_prompt.title')}
      label={t('password_prompt.label')}
      missing={t('password_prompt.missing')}
      tryEntry={tryPassword}
      intro={<p>{t('password_prompt.text')}</p>}
      renderInput={(control, value, onChange) => (
        <PasswordInput
          {...control}
          isInvalid={control['aria-invalid']}
          autoComplete="current-password"
          data-autofocus
          maxLength={200}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    />
  );
}
