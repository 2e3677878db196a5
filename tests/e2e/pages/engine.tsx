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

interface DrawnForms {
  modules: FormModule[];
  start: Start;
}
const drawnForms = createStore<DrawnForms>({ modules: [], start: 'checked' });

function Page() {
  const { modules, start } = useStore(drawnForms);
  return (
    <main>
      <h1>Forms and windows</h1>
      <button type="button">Opener</button>
      {modules.map((module) => (
        <Card key={`${module.form.id} ${start}`}>
          <div data-drawn={`${module.form.id} ${start}`}>
            <OneForm module={module} start={start} />
          </div>
        </Card>
      ))}
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

async function loadForm(id: string): Promise<FormModule> {
  const module = await loaders[id]?.();
  if (!module) throw new Error(`There is no form ${id}.`);
  return withValidator(module);
}

/** Draws forms that ship, one below the other; resolves once nothing of them is on its way any more, with how many there are. */
async function draw(ids: readonly string[], start: Start): Promise<number> {
  drawnForms.set({ modules: await Promise.all(ids.map(loadForm)), start });
  do await frame();
  while (
    ids.some((id) => !document.querySelector(`[data-drawn="${id} ${start}"] form`)) ||
    document.querySelector('main [aria-busy="true"]')
  );
  await frame();
  return document.querySelectorAll('main form').length;
}

/** What the tests of this page call. */
export const engine = { draw, openModal, toasts };
Object.assign(globalThis, { engine });
