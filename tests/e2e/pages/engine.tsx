import { forms } from 'virtual:canopy-forms';
import '../../../src/ui/theme/index.css';
import { useEffect } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, RouterProvider } from 'react-router';
import { registerRooms } from '../../../src/app/rooms.ts';
import { RefineProviders } from '../../../src/engine/data/RefineProviders.tsx';
import { DialogHost, openModal } from '../../../src/engine/dialogs/index.ts';
import { FormView } from '../../../src/engine/form/FormView.tsx';
import { startData } from '../../../src/engine/form/prepare.ts';
import { useFormController } from '../../../src/engine/form/use-form-controller.ts';
import { withValidator } from '../../../src/engine/form/validators.ts';
import { startI18n } from '../../../src/kernel/i18n/index.ts';
import { createStore, useStore } from '../../../src/kernel/store.ts';
import { toasts } from '../../../src/kernel/toasts/index.ts';
import { Card, Toasts, UiProvider } from '../../../src/ui/index.ts';
import { isMembers } from '../../../schemas/kit/form/form-fields.ts';
import type { FormModule } from '../../../schemas/kit/form/form-validator.ts';

/** What a form starts with: its own defaults, and what is wrong with them shown; or its first example. */
type Start = 'checked' | 'example';

function OneForm({ module, start }: { module: FormModule; start: Start }) {
  const { form } = module;
  const [example] = form.examples;
  const record = start === 'example' && isMembers(example) ? example : undefined;
  const controller = useFormController({
    module,
    start: startData(form, record),
    target: { id: 1, devices: { device_id: [1] } },
    preview: { can: () => true },
    onSuccess: () => undefined,
  });
  const { model } = controller;
  useEffect(() => {
    if (start === 'checked') model.check();
  }, [model, start]);
  return <FormView controller={controller} />;
}

interface Drawn {
  module: FormModule;
  start: Start;
}
const keyOf = ({ module, start }: Drawn): string => `${module.form.id} ${start}`;
const drawnForm = createStore<Drawn | undefined>(undefined);

function Page() {
  const drawn = useStore(drawnForm);
  return (
    <main>
      <h1>Forms and windows</h1>
      <button type="button">Opener</button>
      <Card>
        {drawn ? (
          <div key={keyOf(drawn)} data-drawn={keyOf(drawn)}>
            <OneForm {...drawn} />
          </div>
        ) : null}
      </Card>
    </main>
  );
}

function Whole() {
  return (
    <RefineProviders>
      <Page />
      <DialogHost />
      <Toasts />
    </RefineProviders>
  );
}

registerRooms();
await startI18n('en');
const root = document.createElement('div');
document.body.append(root);
const router = createBrowserRouter([
  {
    path: '*',
    element: (
      <UiProvider>
        <Whole />
      </UiProvider>
    ),
  },
]);
flushSync(() => createRoot(root).render(<RouterProvider router={router} />));

const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));

const loaders: Record<string, (() => Promise<FormModule>) | undefined> = forms;

/** Draws a form that ships; resolves once nothing of it is on its way any more. */
async function draw(id: string, start: Start): Promise<void> {
  const module = await loaders[id]?.();
  if (!module) throw new Error(`There is no form ${id}.`);
  const drawn = { module: await withValidator(module), start };
  drawnForm.set(drawn);
  do await frame();
  while (!document.querySelector(`[data-drawn="${keyOf(drawn)}"] form`) || document.querySelector('main [aria-busy="true"]'));
  await frame();
}

/** What the tests of this page call. */
export const engine = { draw, openModal, toasts };
Object.assign(globalThis, { engine });
