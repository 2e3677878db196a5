import { useEffect, useMemo } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { accentColors, themeVariables, windowName } from '../../kernel/theme/index.ts';
import { Brand, Card, cx } from '../../ui/index.ts';
import type { PreviewTheme } from './preview-theme.ts';
import styles from './themes.module.css';

const OWN_ICON = '/favicon.svg';

/** An address for a file that is not sent yet, as long as it is shown. */
function useAddress(file: File | undefined): string | undefined {
  const address = useMemo(() => (file ? URL.createObjectURL(file) : undefined), [file]);
  useEffect(() => () => void (address && URL.revokeObjectURL(address)), [address]);
  return address;
}

/** A small console in light and in dark, and the positions of the names. */
export function BrandPreview({ theme }: { theme: PreviewTheme }) {
  const t = useT();
  const logo = useAddress(theme.newSign);
  const icon = useAddress(theme.newIcon);
  const shown = { ...theme, logo_vector: logo ?? theme.logo_vector };
  const accent = accentColors(theme.main_color);
  const isCorrected =
    accent && (accent.light.fill !== theme.main_color?.toLowerCase() || accent.dark.text !== theme.main_color.toLowerCase());
  return (
    <Card>
      <h2 className={styles.previewTitle}>{t('themes.preview')}</h2>
      <div className={styles.samples}>
        <Sample mode="off" label={t('themes.light')} theme={shown} />
        <Sample mode="on" label={t('themes.dark')} theme={shown} />
      </div>
      <Names theme={theme} icon={icon ?? theme.favicon ?? OWN_ICON} />
      {isCorrected ? <p className={styles.note}>{t('themes.corrected', { light: accent.light.fill, dark: accent.dark.text })}</p> : null}
    </Card>
  );
}

/** What is outside of the small console: the title of the window with its icon, the narrow header, and the page before signing in. */
function Names({ theme, icon }: { theme: PreviewTheme; icon: string }) {
  const t = useT();
  const title = t('common.windowTitle', { page: t('themes.sample_menu'), app: windowName(theme) });
  return (
    <dl className={styles.names}>
      <dt>{t('themes.window')}</dt>
      <dd>
        <img className={styles.icon} src={icon} alt="" />
        {title}
      </dd>
      {theme.short_name ? (
        <>
          <dt>{t('themes.narrow')}</dt>
          <dd>{theme.short_name}</dd>
        </>
      ) : null}
      {theme.company_name ? (
        <>
          <dt>{t('themes.sign_in')}</dt>
          <dd>{theme.company_name}</dd>
        </>
      ) : null}
    </dl>
  );
}

interface SampleProps {
  mode: 'on' | 'off';
  label: string;
  theme: PreviewTheme;
}

function Sample({ mode, label, theme }: SampleProps) {
  const t = useT();
  return (
    <figure className={styles.sample} data-theme={mode} style={themeVariables(theme)}>
      <figcaption className="visually-hidden">{label}</figcaption>
      <div className={styles.sampleSide}>
        <Brand theme={theme} />
        <span className={cx(styles.sampleItem, styles.sampleActive)}>{t('themes.sample_menu')}</span>
        <span className={styles.sampleItem}>{t('themes.sample_other')}</span>
      </div>
      <div className={styles.sampleBody}>
        <span className={styles.sampleHeading}>{t('themes.sample_menu')}</span>
        <span className={styles.sampleLink}>{t('themes.sample_link')}</span>
        <span className={styles.sampleButton}>{t('themes.sample_button')}</span>
      </div>
    </figure>
  );
}
