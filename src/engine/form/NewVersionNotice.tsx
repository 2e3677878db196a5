import { useEffect } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { Banner, Button } from '../../ui/index.ts';
import { useAddedForms } from './added-forms.ts';
import { confirmLoss } from './use-unsaved-guard.ts';
import type { FormModule } from '../../../schemas/kit/form/form-validator.ts';
import type { FormModel } from './model-types.ts';

interface NewVersionNoticeProps {
  form: FormModule['form'];
  model: Pick<FormModel, 'isDirty'>;
  /** Loads the form again, without its entries. */
  onRenew(): void;
}

/** Follows an added form whose file was changed while its page is open: an untouched page at once, one with entries when its user says so. */
export function NewVersionNotice({ form, model, onRenew }: NewVersionNoticeProps) {
  const t = useT();
  const now = useAddedForms().find(({ id }) => id === form.id);
  const isOld = now !== undefined && now.version !== form.version;
  useEffect(() => {
    if (isOld && !model.isDirty()) onRenew();
  }, [isOld, model, onRenew]);
  if (!isOld || !model.isDirty()) return null;
  const renew = async (): Promise<void> => {
    if (await confirmLoss(model)) onRenew();
  };
  return (
    <Banner
      kind="warn"
      title={t('form.newer')}
      actions={
        <Button size="small" onClick={() => void renew()}>
          {t('form.newer_load')}
        </Button>
      }
    >
      {t('form.newer_text')}
    </Banner>
  );
}
