import { useRef } from 'react';
import { Button } from './Button.tsx';
import type { IconName } from './Icon.tsx';

interface FileButtonProps {
  children: string;
  icon?: IconName;
  /** The name of the file input itself. */
  label: string;
  /** As the browser's chooser wants it: `.json`, `image/png`. */
  accept: string;
  isBusy?: boolean;
  /** For one file. */
  onFile?: (file: File) => void;
  /** In its place: several files can be chosen at once. */
  onFiles?: (files: readonly File[]) => void;
}

/** A button that opens the browser's chooser for a file, or for several. */
export function FileButton({ children, icon = 'upload', label, accept, isBusy, onFile, onFiles }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={accept}
        multiple={onFiles !== undefined}
        hidden
        aria-label={label}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          // The same file can be chosen again.
          event.target.value = '';
          if (files.length > 0) onFiles?.(files);
          if (files[0]) onFile?.(files[0]);
        }}
      />
      <Button icon={icon} isBusy={isBusy} onClick={() => input.current?.click()}>
        {children}
      </Button>
    </>
  );
}

/** The types of React do not know it. */
const FOLDERS = { webkitdirectory: '' };

interface FolderButtonProps extends Omit<FileButtonProps, 'accept' | 'onFile'> {
  /** Every file below the folder, with its place in `webkitRelativePath`. */
  onFiles: (files: readonly File[]) => void;
}

/** A button that opens the browser's chooser for a folder. */
export function FolderButton({ children, icon = 'folder-up', label, isBusy, onFiles }: FolderButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        {...FOLDERS}
        hidden
        aria-label={label}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          // The same folder can be chosen again.
          event.target.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
      <Button icon={icon} isBusy={isBusy} onClick={() => input.current?.click()}>
        {children}
      </Button>
    </>
  );
}
