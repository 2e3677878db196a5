import { lazy, Suspense } from 'react';
import type { FormWidgetProps } from '../../engine/form/index.ts';
import { withTexts } from '../../kernel/i18n/index.ts';
import { Skeleton } from '../../ui/index.ts';

const RuleField = lazy(withTexts(['automations', 'form', 'forms-automations'], () => import('./RuleField.tsx')));

/** The rule of an automation; its code comes with the first form that has it. */
export function RuleWidget(props: FormWidgetProps) {
  return (
    <Suspense fallback={<Skeleton height={240} />}>
      <RuleField {...props} />
    </Suspense>
  );
}
