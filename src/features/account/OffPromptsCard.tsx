import { useState } from 'react';
import { failureMessage } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { turnPromptOff, turnPromptOn, useOffPrompts } from '../../kernel/settings/reminders.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Card, Switch } from '../../ui/index.ts';
import styles from './SettingsPage.module.css';

/** The questions with "Do not show this again" that the user has turned off, each with a switch; nothing when there are none. */
export function OffPromptsCard() {
  const t = useT();
  const off = useOffPrompts();
  // What is turned on stays in sight until one leaves the page, to be turned off again.
  const [seen, setSeen] = useState(off);
  const all = [...seen, ...off.filter((prompt) => !seen.some(({ key }) => key === prompt.key))];
  if (all.length === 0) return null;

  async function handleChange(key: string, title: string, isOn: boolean): Promise<void> {
    setSeen(all);
    try {
      await (isOn ? turnPromptOn(key) : turnPromptOff(key, title));
    } catch (error) {
      toasts.error(failureMessage(error, { fallback: t('account.notKept') }));
    }
  }
  return (
    <Card title={t('account.prompts')}>
      <p className={styles.hint}>{t('account.promptsText')}</p>
      <ul className={styles.prompts}>
        {all.map(({ key, title }) => (
          <li key={key}>
            <Switch
              isOn={!off.some((prompt) => prompt.key === key)}
              label={title}
              onChange={(isOn) => void handleChange(key, title, isOn)}
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}
