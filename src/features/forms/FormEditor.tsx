import { lazy, Suspense, useRef, useState } from 'react';
import { Link } from 'react-router';
import { openDialog } from '../../engine/dialogs/index.ts';
import { useT, useText } from '../../kernel/i18n/index.ts';
import { Banner, Button, IconButton, Menu, PageHeader, Skeleton } from '../../ui/index.ts';
import { BreaksList } from './BreaksList.tsx';
import type { EditorHandle } from './editor/CodeEditor.tsx';
import { FindingsList } from './FindingsList.tsx';
import { type EditorStart, useFormFile } from './use-form-file.ts';
import { Preview } from './preview/Preview.tsx';
import { useChecked } from './use-checked.ts';
import styles from './studio.module.css';

const CodeEditor = lazy(() => import('./editor/CodeEditor.tsx'));
const NO_FINDINGS: readonly never[] = [];

/** The editor of one form: text, findings, preview, and what can be done with the file. */
export function FormEditor({ id, start }: { id: string; start: EditorStart }) {
  const t = useT();
  const words = useText();
  const editor = useRef<EditorHandle>(null);
  const file = useFormFile(id, start);
  const [isBusy, setBusy] = useState(false);
  const { text, source } = file;
  const judgement = useChecked(id, text);
  const isJudged = judgement.text !== undefined;
  const isShipped = source?.origin === 'shipped';
  const title = words(judgement.good?.form.title ?? source?.title) || id;

  const handleSave = async () => {
    setBusy(true);
    await file.save();
    setBusy(false);
  };
  const entries = [
    ...(source ? [{ id: 'copy', label: t('studio.copy'), icon: 'copy' as const, onSelect: () => void file.copy() }] : []),
    ...(source && source.health !== 'unusable'
      ? [
          { id: 'open', label: t('form_docs.open'), icon: 'file' as const, to: `/forms/${id}` },
          { id: 'docs', label: t('form_docs.title'), icon: 'info' as const, to: `/forms/docs/${id}` },
        ]
      : []),
    ...(source && !isShipped && judgement.good?.form.submit.webhook
      ? [
          {
            id: 'deliveries',
            label: t('studio.deliveries'),
            icon: 'send' as const,
            onSelect: () => void openDialog('forms.deliveries', { id }),
          },
        ]
      : []),
    ...(source && !isShipped
      ? [{ id: 'remove', label: t('studio.remove'), icon: 'trash-2' as const, isDanger: true, onSelect: () => void file.remove() }]
      : []),
  ];
  return (
    <>
      <PageHeader
        title={title}
        subtitle={<code>{id}</code>}
        breadcrumb={[
          <Link key="above" to="/forms">
            {t('studio.title')}
          </Link>,
        ]}
        actions={
          <>
            {source && !isShipped ? (
              <Button icon="history" onClick={() => void file.openVersions()}>
                {t('studio.versions')}
              </Button>
            ) : null}
            {isShipped ? (
              <Button variant="primary" icon="copy" onClick={() => void file.copy()}>
                {t('studio.copy')}
              </Button>
            ) : (
              <Button variant="primary" isBusy={isBusy} onClick={() => void handleSave()}>
                {t('studio.save')}
              </Button>
            )}
            {entries.length > 0 ? (
              <Menu label={t('studio.more', { form: title })} entries={entries}>
                <IconButton icon="ellipsis" hasBorder label={t('studio.more', { form: title })} />
              </Menu>
            ) : null}
          </>
        }
      />
      {isShipped ? <Banner>{t('studio.shipped')}</Banner> : null}
      {source && source.health !== 'ok' ? (
        <Banner kind="warn" title={t('studio.broken')}>
          {source.version !== null && source.health === 'broken'
            ? t('forms.broken_kept', { version: source.version })
            : t('forms.broken_unusable')}
        </Banner>
      ) : null}
      {judgement.failure === undefined ? null : <Banner kind="warn">{judgement.failure}</Banner>}
      <div className={styles.studio}>
        <div className={styles.writing}>
          <Suspense fallback={<Skeleton height={480} />}>
            <CodeEditor
              ref={editor}
              label={t('studio.editor', { id })}
              value={text}
              isReadOnly={isShipped}
              findings={judgement.text === text ? judgement.findings : NO_FINDINGS}
              onChange={file.setText}
            />
          </Suspense>
          {isJudged || judgement.failure === undefined ? (
            <FindingsList
              findings={isJudged ? judgement.findings : undefined}
              warnings={isJudged ? judgement.warnings : []}
              onJump={({ line, column }) => editor.current?.jump(line, column)}
            />
          ) : null}
          {judgement.text === text ? <BreaksList breaks={judgement.breaks} /> : null}
        </div>
        <Preview good={judgement.good} isWaiting={!isJudged && judgement.failure === undefined} isStale={judgement.findings.length > 0} />
      </div>
    </>
  );
}
