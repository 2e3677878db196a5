import { useEffect, useRef, useState, type FormEvent, type RefObject } from 'react';
import type {
  HostKeyQuestion,
  LoginQuestion,
  PromptQuestion,
  RemoteAnswer,
  RemoteQuestion,
} from '../../../schemas/kit/devices/remote-wire.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Banner, Button, FieldFrame, FileButton, PasswordField, Segmented, TextAreaField, TextField } from '../../ui/index.ts';
import styles from './remote.module.css';

const WAYS = ['password', 'key'] as const;

interface AskedProps<Q> {
  question: Q;
  onAnswer(answer: RemoteAnswer): void;
}

/** What the remote side asks before it lets somebody in: the fingerprint of its key, name and password or key, prompts of its own. */
export function QuestionPanel({ question, onAnswer }: AskedProps<RemoteQuestion>) {
  if (question.kind === 'host-key') return <HostKeyPanel question={question} onAnswer={onAnswer} />;
  if (question.kind === 'login') return <LoginPanel question={question} onAnswer={onAnswer} />;
  return <PromptsPanel question={question} onAnswer={onAnswer} />;
}

/** The first field takes the keyboard, so that one can type on when the question comes. */
function useFirstFocus(): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus(), []);
  return form;
}

function HostKeyPanel({ question, onAnswer }: AskedProps<HostKeyQuestion>) {
  const t = useT();
  const isChanged = question.known !== undefined;
  return (
    <div className={styles.question} role="group" aria-label={t(isChanged ? 'remote.key.changed' : 'remote.key.new')}>
      <h2>{t(isChanged ? 'remote.key.changed' : 'remote.key.new')}</h2>
      {isChanged ? <Banner kind="bad">{t('remote.key.changed_hint')}</Banner> : <p>{t('remote.key.new_hint')}</p>}
      <dl className={styles.facts}>
        <dt>{t('remote.key.address')}</dt>
        <dd>
          {question.host}:{question.port}
        </dd>
        <dt>{t('remote.key.type')}</dt>
        <dd>{question.key_type}</dd>
        {question.known === undefined ? null : (
          <>
            <dt>{t('remote.key.before')}</dt>
            <dd>
              <code>{question.known}</code>
            </dd>
          </>
        )}
        <dt>{t('remote.key.fingerprint')}</dt>
        <dd>
          <code>{question.fingerprint}</code>
        </dd>
      </dl>
      <div className={styles.buttons}>
        <Button data-autofocus autoFocus={isChanged} onClick={() => onAnswer({ trust: false })}>
          {t('remote.key.refuse')}
        </Button>
        <Button variant={isChanged ? 'danger-fill' : 'primary'} autoFocus={!isChanged} onClick={() => onAnswer({ trust: true })}>
          {t(isChanged ? 'remote.key.replace' : 'remote.key.trust')}
        </Button>
      </div>
    </div>
  );
}

function LoginPanel({ question, onAnswer }: AskedProps<LoginQuestion>) {
  const t = useT();
  const form = useFirstFocus();
  const [username, setUsername] = useState(question.username ?? '');
  const [password, setPassword] = useState('');
  const [privateKey, setPrivateKey] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const [way, setWay] = useState<(typeof WAYS)[number]>('password');
  const isKey = way === 'key' && question.takes_key;
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    const name = question.needs_username ? { username: username.trim() } : {};
    const key = { private_key: privateKey, ...(passphrase === '' ? {} : { passphrase }) };
    onAnswer({ ...name, ...(isKey ? key : { password }) });
  };
  const isReady = (!question.needs_username || username.trim() !== '') && (!isKey || privateKey !== '');
  return (
    <form ref={form} className={styles.question} aria-label={t('remote.login.title')} onSubmit={handleSubmit}>
      <h2>{t('remote.login.title')}</h2>
      {question.failed ? <Banner kind="bad">{t('remote.login.failed')}</Banner> : null}
      {question.needs_username ? (
        <FieldFrame label={t('remote.login.username')} isRequired>
          {(control) => <TextField {...control} value={username} onChange={setUsername} maxLength={200} hasAutofocus autoComplete="off" />}
        </FieldFrame>
      ) : (
        <p>{t('remote.login.as', { name: question.username ?? '' })}</p>
      )}
      {question.takes_key ? (
        <Segmented
          label={t('remote.login.way')}
          value={way}
          options={WAYS.map((value) => ({ value, label: t(`remote.login.${value}`) }))}
          onChange={(next) => setWay(next === 'key' ? 'key' : 'password')}
        />
      ) : null}
      {isKey ? (
        <>
          <FieldFrame label={t('remote.login.private_key')} hint={t('remote.login.key_hint')} isRequired>
            {(control) => (
              <TextAreaField
                {...control}
                value={privateKey}
                onChange={setPrivateKey}
                rows={5}
                maxLength={32_768}
                isMonospace
                tools={
                  <FileButton label={t('remote.login.choose_key')} accept="" onFile={(file) => void file.text().then(setPrivateKey)}>
                    {t('remote.login.choose_key')}
                  </FileButton>
                }
              />
            )}
          </FieldFrame>
          <FieldFrame label={t('remote.login.passphrase')}>
            {(control) => <PasswordField {...control} value={passphrase} onChange={setPassphrase} autoComplete="off" maxLength={1000} />}
          </FieldFrame>
        </>
      ) : (
        <FieldFrame label={t('remote.login.password')}>
          {(control) => (
            <PasswordField
              {...control}
              value={password}
              onChange={setPassword}
              autoComplete="off"
              maxLength={1000}
              hasAutofocus={!question.needs_username}
            />
          )}
        </FieldFrame>
      )}
      <div className={styles.buttons}>
        <Button onClick={() => onAnswer(null)}>{t('dialogs.cancel')}</Button>
        <Button type="submit" variant="primary" disabled={!isReady}>
          {t('remote.login.submit')}
        </Button>
      </div>
    </form>
  );
}

function PromptsPanel({ question, onAnswer }: AskedProps<PromptQuestion>) {
  const t = useT();
  const form = useFirstFocus();
  const [answers, setAnswers] = useState(() => question.prompts.map(() => ''));
  const change = (at: number, text: string): void => setAnswers(answers.map((before, index) => (index === at ? text : before)));
  return (
    <form
      ref={form}
      className={styles.question}
      aria-label={question.name || t('remote.login.title')}
      onSubmit={(event) => {
        event.preventDefault();
        onAnswer({ answers });
      }}
    >
      <h2>{question.name || t('remote.login.title')}</h2>
      {question.instructions ? <p className={styles.said}>{question.instructions}</p> : null}
      {question.prompts.map(({ text, echo }, index) => (
        <FieldFrame key={`${text} ${String(index)}`} label={text}>
          {(control) =>
            echo ? (
              <TextField
                {...control}
                value={answers[index] ?? ''}
                onChange={(next) => change(index, next)}
                maxLength={1000}
                hasAutofocus={index === 0}
              />
            ) : (
              <PasswordField
                {...control}
                value={answers[index] ?? ''}
                onChange={(next) => change(index, next)}
                autoComplete="off"
                maxLength={1000}
                hasAutofocus={index === 0}
              />
            )
          }
        </FieldFrame>
      ))}
      <div className={styles.buttons}>
        <Button onClick={() => onAnswer(null)}>{t('dialogs.cancel')}</Button>
        <Button type="submit" variant="primary">
          {t('remote.login.submit')}
        </Button>
      </div>
    </form>
  );
}
