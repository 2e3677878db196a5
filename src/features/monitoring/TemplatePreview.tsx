import type { FormPreviewProps } from '../../engine/form/FormPreview.tsx';
import type { JsonValue } from '../../../schemas/kit/form/types.ts';
import { hasVariable, withVariable, type SourceEntry } from './answer-paths.ts';
import CostPreview from './CostPreview.tsx';
import { KnownSources } from './KnownSources.tsx';
import styles from './monitoring.module.css';

/** Below the fields of a template: the addresses that devices answer, whose values become variables of it, and what it costs. */
export default function TemplatePreview(props: FormPreviewProps) {
  const { data, setValue } = props;
  const entries = (Array.isArray(data['data']) ? data['data'] : []) as unknown as SourceEntry[];
  return (
    <div className={styles.below}>
      <KnownSources
        has={(url, filter) => hasVariable(entries, url, filter)}
        onAdd={(url, { filter, type }) => setValue('data', withVariable(entries, url, { path: filter, type }) as unknown as JsonValue)}
      />
      <CostPreview {...props} />
    </div>
  );
}
