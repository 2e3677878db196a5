import { useInvalidate } from '@refinedev/core';
import { openDialog } from '../../engine/dialogs/index.ts';
import { openForm } from '../../engine/form/index.ts';
import { storeSetting, useKept } from '../../engine/table/stored-setting.ts';
import { queryClient } from '../../kernel/queries.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { helpAddress } from '../../kernel/help.ts';
import { currentTimezone } from '../../kernel/time/index.ts';
import { Button, Card, cx, HelpLink, Icon, IconButton } from '../../ui/index.ts';
import { DemoFleetLine } from './DemoFleetLine.tsx';
import type { FirstSteps } from './home-data.ts';
import styles from './home.module.css';

const STEPS = ['address', 'timezone', 'mail', 'factor', 'device', 'colleague'] as const;
type Step = (typeof STEPS)[number];

/** The user's setting: the list was put away. */
const HIDDEN = 'home.first-steps-hidden';
/** The user's setting: the time zone was looked at, and may be right as it is. */
const ZONE_SEEN = 'home.timezone-checked';

/** The first steps of a new installation, until all are done or the list is put away. */
export function FirstStepsCard({ steps: asked }: { steps: FirstSteps }) {
  const t = useT();
  // Chosen in the console alone, so the console knows.
  const isZoneChosen = typeof useKept('timezone') === 'string';
  const isZoneSeen = useKept(ZONE_SEEN) === true;
  const steps = { ...asked, timezone: isZoneChosen || isZoneSeen };
  const isHidden = useKept(HIDDEN) === true;
  const own = STEPS.filter((step) => steps[step] !== null);
  const done = own.filter((step) => steps[step] === true).length;
  if (isHidden || done === own.length) return null;
  return (
    <Card
      title={t('home.steps')}
      extra={
        <div className={styles.extra}>
          <span className={styles.count}>{t('home.steps.done', { done, total: own.length })}</span>
          <HelpLink address={helpAddress('start') ?? '/help'} label={t('dialogs.help_of', { title: t('home.steps') })} />
          <IconButton icon="x" size="small" label={t('home.steps.hide')} onClick={() => void storeSetting(HIDDEN, true)} />
        </div>
      }
    >
      <ol className={styles.steps}>
        {own.map((step) => (
          <StepLine key={step} step={step} isDone={steps[step] === true} />
        ))}
        <DemoFleetLine />
      </ol>
    </Card>
  );
}

function StepLine({ step, isDone }: { step: Step; isDone: boolean }) {
  const t = useT();
  return (
    <li className={styles.step}>
      <Icon name={isDone ? 'circle-check' : 'circle'} className={cx(styles.tick, isDone && styles.done)} />
      <span className={styles.names}>
        <span className={isDone ? styles.doneWords : styles.name}>
          {t(`home.step.${step}`)}
          {isDone ? <span className="visually-hidden">{t('home.step.done')}</span> : null}
        </span>
        {isDone ? null : <span className={styles.note}>{t(`home.step.${step}.how`, { zone: currentTimezone() })}</span>}
      </span>
      {isDone ? step === 'mail' ? <MailTestButton /> : null : <StepButton step={step} />}
    </li>
  );
}

/** Sends a mail to an address and says what the server answered. */
function MailTestButton() {
  const t = useT();
  return (
    <Button size="small" onClick={() => void openForm('mail/test', {})}>
      {t('home.step.mail.test')}
    </Button>
  );
}

/** Goes to where a step is done; what the server reads at its start has none. */
function StepButton({ step }: { step: Step }) {
  const t = useT();
  const invalidate = useInvalidate();
  if (step === 'address' || step === 'mail') return null;
  const label = t(`home.step.${step}.do`);
  if (step === 'factor')
    return (
      <Button size="small" to="/account/settings">
        {label}
      </Button>
    );
  if (step === 'timezone')
    return (
      <Button size="small" onClick={() => void openDialog('account.timezone', {}).then(() => storeSetting(ZONE_SEEN, true))}>
        {label}
      </Button>
    );
  const handleClick = async () => {
    const isDone = await openForm(step === 'device' ? 'devices/add' : 'users/invite', {});
    if (!isDone) return;
    await invalidate({ resource: step === 'device' ? 'devices' : 'users', invalidates: ['list'] });
    await queryClient.refetchQueries({ type: 'active' });
  };
  return (
    <Button size="small" onClick={() => void handleClick()}>
      {label}
    </Button>
  );
}
