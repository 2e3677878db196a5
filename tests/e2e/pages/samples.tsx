import { forms } from 'virtual:canopy-forms';
import '../../../src/ui/theme/index.css';
import { Refine } from '@refinedev/core';
import { useEffect } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, RouterProvider } from 'react-router';
import { FormView } from '../../../src/engine/form/FormView.tsx';
import { prepareData } from '../../../src/engine/form/prepare.ts';
import { useFormController } from '../../../src/engine/form/use-form-controller.ts';
import { withValidator } from '../../../src/engine/form/validators.ts';
import { loadTexts, startI18n } from '../../../src/kernel/i18n/index.ts';
import { createStore, useStore } from '../../../src/kernel/store.ts';
import { Card } from '../../../src/ui/index.ts';
import type { FormModule } from '../../../schemas/kit/form/form-validator.ts';
import type { JsonValue } from '../../../schemas/kit/form/types.ts';
import type { FormModel } from '../../../src/engine/form/model-types.ts';

interface Drawn {
  module: FormModule;
  start: JsonValue | undefined;
}
const drawnForm = createStore<Drawn | undefined>(undefined);
let model: FormModel | undefined;
let submitForm: (() => Promise<void>) | undefined;
let isAccepted = false;

function handleSuccess(): void {
  isAccepted = true;
}

function OneForm({ module, start }: Drawn) {
  const controller = useFormController({ module, start, target: {}, preview: { can: () => true }, onSuccess: handleSuccess });
  useEffect(() => {
    ({ model, submit: submitForm } = controller);
  }, [controller]);
  return <FormView controller={controller} />;
}

function Page() {
  const drawn = useStore(drawnForm);
  return (
    <Refine options={{ disableTelemetry: true, warnWhenUnsavedChanges: false }}>
      <main>
        <h1>Sample forms</h1>
        <Card>{drawn ? <OneForm key={JSON.stringify([drawn.module.form.id, drawn.start])} {...drawn} /> : null}</Card>
      </main>
    </Refine>
  );
}

await startI18n('en');
await loadTexts('form', 'errors', 'dialogs');
const root = document.createElement('div');
document.body.append(root);
const router = createBrowserRouter([{ path: '*', element: <Page /> }]);
flushSync(() => createRoot(root).render(<RouterProvider router={router} />));

const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));
const loaders: Record<string, (() => Promise<FormModule>) | undefined> = forms;

/** Draws a sample with this data, or with its defaults alone. */
async function draw(id: string, start?: JsonValue): Promise<void> {
  const module = await loaders[id]?.();
  if (!module) throw new Error(`There is no form ${id}.`);
  drawnForm.set({ module: await withValidator(module), start });
  await frame();
  await frame();
}

/** What would be sent now, and whether the form takes it. */
function judge(): { data: JsonValue | undefined; isRight: boolean } {
  if (!model) throw new Error('No form is drawn.');
  model.settleNow();
  const data = prepareData(model.module.form, model.visible().data, { start: undefined });
  return { data, isRight: model.check() !== undefined };
}

/** Sends the form as its button does; answers whether it was sent and taken. */
async function submit(): Promise<boolean> {
  isAccepted = false;
  await submitForm?.();
  return isAccepted;
}

/** What the tests of this page call. */
export const samples = { draw, judge, submit };
Object.assign(globalThis, { samples });
