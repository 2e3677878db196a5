import { useState } from 'react';
import { useT } from '../kernel/i18n/index.ts';
import { IconButton } from './IconButton.tsx';
import { TextInput, type TextInputProps } from './TextInput.tsx';

/** A password that can be looked at; pasting and password managers work. */
export function PasswordInput(props: Omit<TextInputProps, 'type' | 'after'>) {
  const t = useT();
  const [isShown, setShown] = useState(false);
  return (
    <TextInput
      autoCapitalize="none"
      spellCheck={false}
      {...props}
      type={isShown ? 'text' : 'password'}
      after={
        <IconButton
          icon={isShown ? 'eye-off' : 'eye'}
          size="small"
          label={isShown ? t('common.hidePassword') : t('common.showPassword')}
          onClick={() => setShown(!isShown)}
        />
      }
    />
  );
}
