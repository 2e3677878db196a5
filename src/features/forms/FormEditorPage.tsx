import { useQuery } from '@tanstack/react-query';
import { applyEdits, modify } from 'jsonc-parser';
import { useParams, useSearchParams } from 'react-router';
import { isNewFormKind, newForm } from '../../../schemas/kit/form/new-form.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { EmptyState, ErrorState, Spinner } from '../../ui/index.ts';
import { FormEditor } from './FormEditor.tsx';
import { isFormId, studio } from './studio-api.ts';
import type { EditorStart } from './use-form-file.ts';

/** The text of a form under another id, as a form of its own. */
function renamed(text: string, id: string): string {
  const changes: [string, unknown][] = [
    ['$schema', '/schemas/form-v1.json'],
    ['id', id],
    ['replaces', undefined],
  ];
  return changes.reduce((before, [key, value]) => applyEdits(before, modify(before, [key], value, {})), text);
}

async function load(id: string, from: string | null, kind: string | null): Promise<EditorStart> {
  // The list says which forms there are: asking for one that is not would leave an error in the browser's console.
  const known = new Set((await studio.list()).map((form) => form.id));
  if (known.has(id)) {
    const source = await studio.read(id);
    return { source, text: source.text ?? '' };
  }
  const copied = from !== null && known.has(from) ? await studio.read(from) : undefined;
  return { source: undefined, text: copied?.text ? renamed(copied.text, id) : newForm(id, isNewFormKind(kind) ? kind : undefined) };
}

/** `/forms/edit/<room>/<name>`: a form's text beside a live preview; `?from=<id>` starts a new form as a copy, `?kind=` one of its kind. */
export default function FormEditorPage() {
  const { room = '', name = '' } = useParams();
  const [search] = useSearchParams();
  const t = useT();
  const id = `${room}/${name}`;
  const [from, kind] = [search.get('from'), search.get('kind')];
  const { data, error, refetch } = useQuery({
    queryKey: ['form-source', id, from, kind],
    retry: false,
    // A text under edit must not be loaded again under the user's hands.
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    enabled: isFormId(id),
    queryFn: () => load(id, from, kind),
  });
  if (!isFormId(id)) return <EmptyState icon="file" title={t('form.unknown')} text={t('studio.id_wrong')} />;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Spinner size={24} />;
  return <FormEditor key={id} id={id} start={data} />;
}
