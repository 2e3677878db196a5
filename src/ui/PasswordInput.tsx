import { useState, type ReactNode } from 'react';
import { useT } from '../kernel/i18n/index.ts';
import { IconButton } from './IconButton.tsx';
import { TextInput, type TextInputProps } from './TextInput.tsx';

export interface PasswordInputProps extends Omit<TextInputProps, 'type' | 'after'> {
  /** Small buttons before the one that shows the text; they may show it too. */
  tools?: (show: () => void) => ReactNode;
}

/** A password that can be looked at; pasting and password managers work. */
export function PasswordInput({ tools, ...props }: PasswordInputProps) {
  const t = useT();
  const [isShown, setShown] = useState(false);
  return (
    <TextInput
      autoCapitalize="none"
      spellCheck={false}
      {...props}
      type={isShown ? 'text' : 'password'}
      after={
        <>
          {tools?.(() => setShown(true))}
          <IconButton
            icon={isShown ? 'eye-off' : 'eye'}
            size="small"
            label={isShown ? t('common.hidePassword') : t('common.showPassword')}
            onClick={() => setShown(!isShown)}
          />
        </>
      }
    />
  );
}
