import { forms } from 'virtual:canopy-forms';
import '../../../src/ui/theme/index.css';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { FormView } from '../../../src/engine/form/FormView.tsx';
import { startData } from '../../../src/engine/form/prepare.ts';
import { useFormController } from '../../../src/engine/form/use-form-controller.ts';
import { withValidator } from '../../../src/engine/form/validators.ts';
import { startI18n } from '../../../src/kernel/i18n/index.ts';
import { UiProvider } from '../../../src/ui/index.ts';
import type { FormModule } from '../../../schemas/kit/form/form-validator.ts';
import { bigData } from '../big-form.ts';
import { askedSize, measurePage } from './measure-page.ts';

function Page({ module, size }: { module: FormModule; size: number }) {
  const controller = useFormController({ module, start: startData(module.form, bigData(size)), target: {}, onSuccess: () => undefined });
  return <FormView controller={controller} />;
}

const size = askedSize();
const load: Record<string, (() => Promise<FormModule>) | undefined> = forms;
await startI18n('en');
const found = await load[`bench/size-${size}`]?.();
if (!found) throw new Error(`No form of ${size} fields.`);
const module = await withValidator(found);
measurePage((root) =>
  flushSync(() =>
    createRoot(root).render(
      <UiProvider>
        <Page module={module} size={size} />
      </UiProvider>,
    ),
  ),
);
