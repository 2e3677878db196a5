import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router';
import { useT, useText } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { Button, Card, EmptyState, ErrorState, PageHeader, Spinner } from '../../ui/index.ts';
import { DraftNotice } from './DraftNotice.tsx';
import { FormView } from './FormView.tsx';
import { NewVersionNotice } from './NewVersionNotice.tsx';
import { UploadBar } from './UploadBar.tsx';
import { openMade, showSuccess, useReload } from './after-submit.ts';
import { extendForm } from './form-extensions.ts';
import { loadForm, loadRecord, permissionOf, UnknownForm } from './load-form.ts';
import { startData, typedOf } from './prepare.ts';
import { hasResultView, renderResult } from './result-views.ts';
import { useFormController } from './use-form-controller.ts';
import { useUnsavedGuard } from './use-unsaved-guard.ts';
import styles from './form.module.css';
import type { FormModule } from '../../../schemas/kit/form/form-validator.ts';
import type { FormData } from './prepare.ts';
import type { FormResult } from './submit.ts';

/** `/forms/<room>/<name>/<id>`, mounted at `/forms/*`: any form as a page (docs/behaviour.md section 2, Other). Goes back one page after its success. */
export default function FormPage() {
  const [room = '', name = '', id] = (useParams()['*'] ?? '').split('/');
  return <FormAsPage formId={`${room}/${name}`} id={id} />;
}

interface FormAsPageProps {
  formId: string;
  /** Of the record that the form edits. */
  id: string | undefined;
  /** Where its success leads; one page back without it. */
  next?: (result: FormResult) => string;
}

/** A form as a page. */
export function FormAsPage({ formId, id, next }: FormAsPageProps) {
  const t = useT();
  const text = useText();
  const can = useCan();
  const query = useQuery({
    queryKey: ['form', formId, id],
    retry: false,
    // A form that is being filled in must not be loaded again under the user's hands.
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    queryFn: async ({ signal }) => {
      const module = await loadForm(formId);
      if (!can(permissionOf(module.form))) return { module, record: undefined };
      return { module: await extendForm(module, id), record: await loadRecord(module, id, signal) };
    },
  });

  if (query.error instanceof UnknownForm) return <EmptyState icon="file" title={t('form.unknown')} text={t('form.unknown_hint')} />;
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Spinner size={24} />;
  const { module, record } = query.data;
  if (!can(permissionOf(module.form))) {
    return <EmptyState icon="lock" title={t('form.forbidden')} text={t('form.forbidden_hint')} />;
  }
  const { payload } = module.form.submit;
  if (payload === 'devices' && id === undefined && !Object.hasOwn(module.form.schema.properties ?? {}, 'device_id'))
    return (
      <div className={styles.page}>
        <PageHeader title={text(module.form.title)} />
        <EmptyState icon="router" title={t('form.needs_devices')} text={t('form.needs_devices_hint')} />
      </div>
    );
  const { refetch } = query;
  const key = `${formId}/${id ?? ''}/${query.dataUpdatedAt}`;
  return <LoadedForm key={key} module={module} record={record} id={id} next={next} onRenew={refetch} />;
}

interface LoadedFormProps {
  module: FormModule;
  record: FormData | undefined;
  id: string | undefined;
  next: FormAsPageProps['next'];
  onRenew(): void;
}

function LoadedForm({ module, record, id, next, onRenew }: LoadedFormProps) {
  const t = useT();
  const text = useText();
  const goBack = useWayBack();
  const navigate = useNavigate();
  const reload = useReload();
  const [result, setResult] = useState<FormResult>();
  const { form } = module;
  const controller = useFormController({
    module,
    start: startData(form, record),
    target: { id, devices: id === undefined ? undefined : { device_id: [Number(id)] } },
    record,
    typed: typedOf(form, record),
    onSuccess: (answer) => {
      const { success } = form.submit;
      const reloadAll = (): void => void reload(success.reload ?? []);
      reloadAll();
      showSuccess(form, answer, reloadAll);
      if (hasResultView(form.id)) setResult(answer);
      else if (next) void navigate(next(answer), { replace: true });
      else if (success.then === 'open') openMade(form, answer);
      else if (success.then !== 'stay') goBack();
    },
  });
  useUnsavedGuard(controller.model);

  return (
    <div className={styles.page}>
      <PageHeader title={text(form.title)} />
      <Card>
        {result ? (
          <Suspense fallback={<Spinner />}>{renderResult(form.id, { result, close: goBack })}</Suspense>
        ) : (
          <>
            <NewVersionNotice form={form} model={controller.model} onRenew={onRenew} />
            <DraftNotice controller={controller} />
            <FormView controller={controller} />
            <div className={styles.buttons}>
              <Button
                type="submit"
                form={controller.formId}
                variant={form.danger ? 'danger-fill' : 'primary'}
                isBusy={controller.phase.state === 'waiting'}
              >
                {form.submitLabel === undefined ? t('form.submit') : text(form.submitLabel)}
              </Button>
              <Button onClick={goBack}>{t('dialogs.cancel')}</Button>
              <UploadBar controller={controller} />
            </div>
          </>
        )}
      </Card>
    </div>
  );
}

/** One page back; to the start page when the form's address was opened by itself. */
function useWayBack(): () => void {
  const navigate = useNavigate();
  const { key } = useLocation();
  return () => void (key === 'default' ? navigate('/') : navigate(-1));
}
