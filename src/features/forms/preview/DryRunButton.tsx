import { useState } from 'react';
import type { FormModel } from '../../../engine/form/model-types.ts';
import { requestOf, type FormTarget } from '../../../engine/form/submit.ts';
import { ApiError, failureMessage, itemMessage } from '../../../kernel/http/index.ts';
import { useT } from '../../../kernel/i18n/index.ts';
import { Banner, Button } from '../../../ui/index.ts';
import { studio, type DryRun } from '../studio-api.ts';
import type { PreviewedForm } from './preview-settings.ts';
import styles from './preview.module.css';

function describe({ command, request }: DryRun): string {
  if (request) {
    const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
    return [`${request.method} ${request.url}`, ...headers, '', JSON.stringify(request.body, null, 2)].join('\n');
  }
  return command ?? '';
}

/** Asks the server what it would send, to the device or to the webhook; nothing happens. */
export function DryRunButton({ draft, model, target }: { draft: PreviewedForm; model: FormModel; target: FormTarget }) {
  const t = useT();
  const [isBusy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<DryRun>();
  const [failure, setFailure] = useState('');
  const { form } = model.module;
  const isReady = form.submit.payload !== 'devices' || target.devices !== undefined;

  const handleTry = async () => {
    const checked = model.check();
    if (!checked) return;
    const { data } = checked;
    setBusy(true);
    setFailure('');
    setAnswer(undefined);
    try {
      // The server forgets a draft after some minutes: it is sent again.
      const { hash } = await studio.check(form.id, draft.text, new AbortController().signal);
      setAnswer(await studio.dryRun(hash ?? draft.hash, requestOf(form, data, target).body ?? null));
    } catch (error) {
      const rest = error instanceof ApiError ? model.placeServerErrors(error.items) : [];
      const isPlaced = error instanceof ApiError && error.items.length > 0 && rest.length === 0;
      setFailure(isPlaced ? '' : rest.length > 0 ? rest.map((item) => itemMessage(item)).join(' ') : failureMessage(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className={styles.request} aria-label={t('studio.preview.dry_run')}>
      <Button isBusy={isBusy} icon="square-terminal" disabled={!isReady} onClick={() => void handleTry()}>
        {t('studio.preview.dry_run')}
      </Button>
      {failure === '' ? null : <Banner kind="bad">{failure}</Banner>}
      <div aria-live="polite">
        {answer ? (
          <>
            <p className={styles.quiet}>
              {answer.request ? t('studio.preview.webhook') : t('studio.preview.command', { device: answer.device?.name ?? '—' })}
            </p>
            <pre className={styles.code}>{describe(answer)}</pre>
          </>
        ) : null}
      </div>
    </section>
  );
}
