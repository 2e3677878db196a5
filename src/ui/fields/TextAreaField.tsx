import TextArea from 'antd/es/input/TextArea';
import { CutNotice } from './CutNotice.tsx';
import { usePaste } from './use-paste.ts';
import styles from './fields.module.css';
import type { ReactNode } from 'react';
import type { ControlAttributes } from './FieldFrame.tsx';

export interface TextAreaFieldProps extends ControlAttributes {
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  rows?: number;
  maxLength?: number;
  placeholder?: string;
  hasAutofocus?: boolean;
  disabled?: boolean;
  isMonospace?: boolean;
  /** Buttons below the text. */
  tools?: ReactNode;
}

/** Several lines of text. */
export function TextAreaField({ value, onChange, hasAutofocus, isMonospace, tools, rows = 3, ...rest }: TextAreaFieldProps) {
  const paste = usePaste({ maxLength: rest.maxLength, onChange });
  return (
    <>
      <TextArea
        {...rest}
        rows={rows}
        status={rest['aria-invalid'] ? 'error' : undefined}
        className={styles.area}
        data-monospace={isMonospace || undefined}
        data-autofocus={hasAutofocus || undefined}
        spellCheck={isMonospace ? false : undefined}
        value={value}
        onChange={(event) => {
          paste.clear();
          onChange(event.target.value);
        }}
        onPaste={paste.handlePaste}
      />
      <CutNotice cutTo={paste.cutTo} />
      {tools}
    </>
  );
}
