import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useSearchParams } from 'react-router';
import { loadForm, loadRecord } from '../../engine/form/load-form.ts';
import { api } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { NativeSelect } from '../../ui/NativeSelect.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { BrandingForm } from './BrandingForm.tsx';
import styles from './themes.module.css';

interface Company {
  id: number;
  name: string;
}

/** `/branding?company_id=7`: the form of a top-level company's theme beside what it will look like. */
export default function BrandingPage() {
  const t = useT();
  const labelId = useId();
  const [search, setSearch] = useSearchParams();
  const query = useQuery({
    queryKey: ['themes', 'companies'],
    queryFn: async ({ signal }) => (await api.get<Company[]>('/companies', { query: { level: 1, sort: 'name', limit: 100 }, signal })).data,
  });
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Spinner size={24} />;
  const chosen = query.data.find(({ id }) => String(id) === search.get('company_id')) ?? query.data[0];
  return (
    <div className={styles.page}>
      <PageHeader
        title={t('themes.title')}
        subtitle={query.data.length === 1 ? chosen?.name : undefined}
        actions={
          query.data.length > 1 ? (
            <label className={styles.company}>
              <span id={labelId}>{t('themes.company')}</span>
              <NativeSelect aria-labelledby={labelId} value={chosen?.id} onChange={({ target }) => setSearch({ company_id: target.value })}>
                {query.data.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </NativeSelect>
            </label>
          ) : undefined
        }
      />
      {chosen ? (
        <CompanyBranding key={chosen.id} id={chosen.id} />
      ) : (
        <EmptyState icon="palette" title={t('themes.none')} text={t('themes.none_text')} />
      )}
    </div>
  );
}

function CompanyBranding({ id }: { id: number }) {
  const query = useQuery({
    queryKey: ['themes', id],
    retry: false,
    // What is being filled in must not be loaded anew under the user's hands.
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    queryFn: async ({ signal }) => {
      const module = await loadForm('themes/edit');
      return { module, record: await loadRecord(module, id, signal) };
    },
  });
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Spinner size={24} />;
  return <BrandingForm key={query.dataUpdatedAt} id={id} {...query.data} onSaved={() => void query.refetch()} />;
}
