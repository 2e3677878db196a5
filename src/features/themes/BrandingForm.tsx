import { useOne } from '@refinedev/core';
import { useSyncExternalStore } from 'react';
import type { FormModule } from '../../../schemas/kit/form/form-validator.ts';
import { DraftNotice } from '../../engine/form/DraftNotice.tsx';
import { FormView } from '../../engine/form/FormView.tsx';
import { showSuccess } from '../../engine/form/after-submit.ts';
import { startData, type FormData } from '../../engine/form/prepare.ts';
import { UploadBar } from '../../engine/form/UploadBar.tsx';
import { useFormController } from '../../engine/form/use-form-controller.ts';
import { useUnsavedGuard } from '../../engine/form/use-unsaved-guard.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { useText } from '../../kernel/i18n/index.ts';
import type { Theme } from '../../kernel/theme/index.ts';
import { Button, Card } from '../../ui/index.ts';
import { BrandPreview } from './BrandPreview.tsx';
import { ModelPictures } from './ModelPictures.tsx';
import { previewTheme } from './preview-theme.ts';
import styles from './themes.module.css';

interface BrandingFormProps {
  id: number;
  module: FormModule;
  record: FormData | undefined;
  onSaved(): void;
}

/** The form, and beside it a preview of what is entered. */
export function BrandingForm({ id, module, record, onSaved }: BrandingFormProps) {
  const text = useText();
  const { form } = module;
  const controller = useFormController({
    module,
    start: startData(form, record),
    target: { id: String(id) },
    record,
    onSuccess: (answer) => {
      showSuccess(form, answer, onSaved);
      onSaved();
    },
  });
  useUnsavedGuard(controller.model);
  const { model } = controller;
  const data = useSyncExternalStore(model.subscribe, model.data);
  // @NOTE Not part of the form's record: loading that again would lose what is being filled in.
  const { query } = useOne<Theme, ApiError>({ resource: 'themes', id, errorNotification: false });
  const pictures = query.data?.data.branded_devices ?? [];
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
      <div className={styles.side}>
        <BrandPreview theme={previewTheme(data, record)} />
        <ModelPictures id={id} pictures={pictures} />
      </div>
    </div>
  );
}
