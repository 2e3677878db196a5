import { useT } from '../../kernel/i18n/index.ts';
import { Banner } from '../../ui/index.ts';
import type { FormBreak } from '../../../schemas/kit/form/form-breaks.ts';

/** What a text refuses of what programs may send to the version in use, and how to change it without that; nothing where there is none. */
export function BreaksList({ breaks }: { breaks: readonly FormBreak[] }) {
  const t = useT();
  if (breaks.length === 0) return null;
  return (
    <Banner kind="warn" title={t('studio.breaks.title')}>
      <ul>
        {breaks.map(({ field, what }) => (
          <li key={field}>{t(`studio.breaks.${what}`, { field })}</li>
        ))}
      </ul>
      <p>{t('studio.breaks.hint')}</p>
    </Banner>
  );
}
