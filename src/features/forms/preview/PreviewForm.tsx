import { useEffect, useRef, useState } from 'react';
import { FormView } from '../../../engine/form/FormView.tsx';
import { startData, type FormData } from '../../../engine/form/prepare.ts';
import { useFormController, type FormController } from '../../../engine/form/use-form-controller.ts';
import { type FormResult } from '../../../engine/form/submit.ts';
import { ApiError } from '../../../kernel/http/index.ts';
import { LanguageScope, useLanguage, useT, useText } from '../../../kernel/i18n/index.ts';
import { Banner, Button } from '../../../ui/index.ts';
import { DryRunButton } from './DryRunButton.tsx';
import { PreviewRequest } from './PreviewRequest.tsx';
import type { PreviewOptions, PreviewedForm } from './preview-settings.ts';
import styles from './preview.module.css';

interface PreviewFormProps {
  draft: PreviewedForm;
  options: PreviewOptions;
  device: number | undefined;
  can(permission: string): boolean;
}

// As the page says it of itself (src/ui/theme/tokens.css).
const THEMES = { page: undefined, light: 'off', dark: 'on' } as const;

/** Entries outlive a change of the text, so that one does not type them again after each. */
const kept = new Map<string, FormData>();

/** The drawn form with its own buttons; its submit button checks everything and sends nothing. */
export function PreviewForm({ draft, options, device, can }: PreviewFormProps) {
  const t = useT();
  const { form } = draft.module;
  const [isRight, setRight] = useState(false);
  const latest = useRef(options);
  useEffect(() => void (latest.current = options), [options]);
  const target = { id: 1, devices: device === undefined ? undefined : { device_id: [device] } };
  const controller = useFormController({
    module: draft.module,
    start: startData(form, undefined, kept.get(form.id)),
    target,
    preview: { can },
    onSuccess: () => setRight(true),
    send: async (): Promise<FormResult> => {
      setRight(false);
      const { wrongField, wrongMessage } = latest.current;
      if (wrongField === '') return { data: null, meta: {} };
      const message = wrongMessage || 'Wrong';
      throw new ApiError({ kind: 'answer', status: 422, items: [{ code: 'PREVIEW', message, source: wrongField }] });
    },
  });
  const { model } = controller;
  useEffect(() => model.subscribe(() => void kept.set(form.id, model.data())), [model, form.id]);

  return (
    <>
      <LanguageScope language={options.language}>
        <PreviewSheet controller={controller} options={options} />
      </LanguageScope>
      {isRight ? <Banner kind="good">{t('studio.preview.right')}</Banner> : null}
      <PreviewRequest model={model} target={target} />
      {form.submit.job || form.submit.webhook ? <DryRunButton draft={draft} model={model} target={target} /> : null}
    </>
  );
}

function PreviewSheet({ controller, options: { mode, width } }: { controller: FormController; options: PreviewOptions }) {
  const t = useT();
  const text = useText();
  const language = useLanguage();
  const { form } = controller.model.module;
  return (
    <div className={styles.stage} lang={language} data-theme={THEMES[mode]}>
      <div className={styles.sheet} style={{ maxWidth: width === 'full' ? undefined : `${width}px` }}>
        <h3 className={styles.title}>{text(form.title)}</h3>
        <FormView controller={controller} />
        <div className={styles.buttons}>
          <Button type="submit" form={controller.formId} variant={form.danger ? 'danger-fill' : 'primary'}>
            {form.submitLabel === undefined ? t('form.submit') : text(form.submitLabel)}
          </Button>
        </div>
      </div>
    </div>
  );
}
