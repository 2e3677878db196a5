import type { ResultViewProps } from '../../engine/form/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { formatTime, parseWire } from '../../kernel/time/index.ts';
import { Banner, Button, CopyField } from '../../ui/index.ts';
import styles from './device-passwords.module.css';

interface Shown {
  device_name: string;
  username: string;
  is_proven: boolean;
  passwords: { password: string; created_at: string }[];
}

const isShown = (data: unknown): data is Shown =>
  typeof data === 'object' && data !== null && 'passwords' in data && Array.isArray(data.passwords);

/** The password of a device, or those of which it is one. */
export default function ShownPasswordsView({ result, close }: ResultViewProps) {
  const t = useT();
  const { data } = result;
  if (!isShown(data)) return null;
  const timeOf = (text: string): string => {
    const at = parseWire(text);
    return at === undefined ? '' : formatTime(at, 'YYYY-MM-DD HH:mm');
  };
  return (
    <div className={styles.view}>
      <p>{t('device-passwords.user', { device: data.device_name, user: data.username })}</p>
      <Banner kind={data.is_proven ? 'info' : 'warn'}>{t(`device-passwords.${data.is_proven ? 'is_proven' : 'is_doubtful'}`)}</Banner>
      {data.passwords.map(({ password, created_at }) => (
        <CopyField key={`${created_at} ${password}`} label={t('device-passwords.since', { time: timeOf(created_at) })} value={password} />
      ))}
      <Button variant="primary" className={styles.done} onClick={close}>
        {t('device-passwords.close')}
      </Button>
    </div>
  );
}
