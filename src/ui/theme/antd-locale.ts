import type { Locale } from 'antd/es/locale';
import english from 'antd/es/locale/en_US';
import { useEffect, useState } from 'react';
import { useLanguage } from '../../kernel/i18n/index.ts';

/** English is antd's own and comes with it. */
const LOADERS: Record<string, () => Promise<{ default: Locale }>> = {
  nb: () => import('antd/es/locale/nb_NO'),
  ja: () => import('antd/es/locale/ja_JP'),
  uk: () => import('antd/es/locale/uk_UA'),
};

/**
 * antd's own words in the language of the console; English until they have come. Never without any: antd would put another component around
 * the page when they come, and whatever was entered would be gone.
 */
export function useAntdLocale(): Locale {
  const language = useLanguage();
  const [loaded, setLoaded] = useState<{ language: string; locale: Locale }>();
  useEffect(() => {
    let isWanted = true;
    void LOADERS[language]?.().then(({ default: locale }) => {
      if (isWanted) setLoaded({ language, locale });
    });
    return () => void (isWanted = false);
  }, [language]);
  return loaded?.language === language ? loaded.locale : english;
}
