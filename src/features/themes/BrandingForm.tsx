import { useSyncExternalStore } from 'react';
import type { FormModule } from '../../../schemas/kit/form-validator.ts';
import { DraftNotice } from '../../engine/form/DraftNotice.tsx';
import { FormView } from '../../engine/form/FormView.tsx';
import { tellSuccess } from '../../engine/form/after-submit.ts';
import { startData, type FormData } from '../../engine/form/prepare.ts';
import { UploadBar } from '../../engine/form/UploadBar.tsx';
import { useFormController } from '../../engine/form/use-form-controller.ts';
import { useUnsavedGuard } from '../../engine/form/use-unsaved-guard.ts';
import { useText } from '../../kernel/i18n/index.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { BrandPreview } from './BrandPreview.tsx';
import { previewTheme } from './preview-theme.ts';
import styles from './themes.module.css';

interface BrandingFormProps {
  id: number;
  module: FormModule;
  record: FormData | undefined;
  onSaved(): void;
}

/** The form, and beside it how the console looks with what is entered. */
export function BrandingForm({ id, module, record, onSaved }: BrandingFormProps) {
  const text = useText();
  const { form } = module;
  const controller = useFormController({
    module,
    start: startData(form, record),
    target: { id: String(id) },
    onSuccess: (answer) => {
      tellSuccess(form, answer, onSaved);
      onSaved();
    },
  });
  useUnsavedGuard(controller.model);
  const { model } = controller;
  const data = useSyncExternalStore(model.subscribe, model.data);
  return (
    <div className={styles.columns}>
      <Card>
        <DraftNotice controller={controller} />
        <FormView controller={controller} />
        <div className={styles.buttons}>
          <Button type="submit" form={controller.formId} variant="primary" isBusy={controller.phase.state === 'waiting'}>
            {form.submitLabel === undefined ? '' : text(form.submitLabel)}
          </Button>
          <UploadBar controller={controller} />
        </div>
      </Card>
      <BrandPreview theme={previewTheme(data, record)} />
    </div>
  );
}
