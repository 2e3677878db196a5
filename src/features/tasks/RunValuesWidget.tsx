import { lazy, Suspense } from 'react';
import type { FormWidgetProps } from '../../engine/form/index.ts';
import { withTexts } from '../../kernel/i18n/index.ts';
import { Skeleton } from '../../ui/index.ts';

const RunValuesField = lazy(withTexts(['forms-task-groups'], () => import('./RunValuesField.tsx')));

/** The values that the chosen task list asks for; its code comes with the first form that has it. */
export function RunValuesWidget(props: FormWidgetProps) {
  return (
    <Suspense fallback={<Skeleton height={60} />}>
      <RunValuesField {...props} />
    </Suspense>
  );
}
