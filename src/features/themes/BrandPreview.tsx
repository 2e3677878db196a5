import { useEffect, useMemo } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { accentColors, themeVariables } from '../../kernel/theme/index.ts';
import { Brand } from '../../ui/Brand.tsx';
import { Card } from '../../ui/Card.tsx';
import { cx } from '../../ui/cx.ts';
import type { PreviewTheme } from './preview-theme.ts';
import styles from './themes.module.css';

/** A small console in light and in dark. */
export function BrandPreview({ theme }: { theme: PreviewTheme }) {
  const t = useT();
  const { newSign } = theme;
  const address = useMemo(() => (newSign ? URL.createObjectURL(newSign) : undefined), [newSign]);
  useEffect(() => () => void (address && URL.revokeObjectURL(address)), [address]);
  const shown = { ...theme, logo_vector: address ?? theme.logo_vector };
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
      {isCorrected ? <p className={styles.note}>{t('themes.corrected', { light: accent.light.fill, dark: accent.dark.text })}</p> : null}
    </Card>
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
