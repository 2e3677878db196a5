import { openDialog } from '../../engine/dialogs/index.ts';
import { failureMessage } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { FileButton } from '../../ui/index.ts';
import { readBundle } from './read-bundle.ts';
import { studio } from './studio-api.ts';

/** Imports forms from a file of an export, or one form file; shows the outcome of each. */
export function ImportButton({ onDone }: { onDone(): void }) {
  const t = useT();

  const handleFile = async (file: File) => {
    const forms = readBundle(await file.text());
    if (!forms) {
      toasts.error(t('studio.import.not_forms', { file: file.name }));
      return;
    }
    try {
      const result = await studio.import(forms, false);
      onDone();
      await openDialog('forms.imported', { forms, result });
      onDone();
    } catch (error) {
      toasts.error(failureMessage(error));
    }
  };
  return (
    <FileButton label={t('studio.import.file')} accept=".json" onFile={(file) => void handleFile(file)}>
      {t('studio.import')}
    </FileButton>
  );
}
