import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Profiler } from 'react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { registerResultView } from './result-views.ts';
import './theme/built-in-widgets.ts';
import { findWidget, registerWidget, type FormWidgetProps } from './theme/widgets.ts';
import { closeEverything, compileForm, makeForm, openTestForm, renderConsole, startTestServer } from './test-kit.tsx';
import type { TestServer } from './test-kit.tsx';

const form = makeForm({
  schema: { type: 'object', properties: { name: { type: 'string' }, note: { type: 'string' } } },
  ui: { name: { 'ui:label': { en: 'Name' } }, note: { 'ui:label': { en: 'Note' } } },
});

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer(() => ({ body: { success: true, data: null } }));
});
afterEach(async () => {
  act(() => closeEverything());
  await server.close();
});

describe('unsaved entries [F4]', () => {
  test('are asked about before the dialog closes, and only when there are any', async () => {
    const { user, result } = await openTestForm(form);
    await user.type(screen.getByLabelText('Name'), 'draft');
    await user.keyboard('{Escape}');
    const question = await screen.findByRole('alertdialog', { name: 'Discard your entries?' });
    await user.click(within(question).getByRole('button', { name: 'Keep editing' }));
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('draft');
    await user.clear(screen.getByLabelText('Name'));
    await user.keyboard('{Escape}');
    expect(await result).toBeUndefined();
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  test('closing what is shown after the success, by its cross or Escape, counts as done', async () => {
    const view = () => Promise.resolve({ default: () => <p>Shown only once</p> });
    registerResultView(form.id, view);
    const { user, result } = await openTestForm(form);
    await user.type(screen.getByLabelText('Name'), 'draft');
    await user.keyboard('{Enter}');
    await screen.findByText('Shown only once');
    await user.keyboard('{Escape}');
    expect(await result).toBeDefined();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  test('hold back another page until the user lets them go', async () => {
    const module = await compileForm(form);
    const { router } = await renderConsole(<p>Page</p>);
    const user = userEvent.setup();
    const { openDialog } = await import('../dialogs/index.ts');
    act(() => void openDialog('form', { module, start: {}, target: {} }));
    await user.type(await screen.findByLabelText('Name'), 'draft');
    act(() => void router.navigate('/elsewhere'));
    await user.click(await screen.findByRole('button', { name: 'Keep editing' }));
    expect(router.state.location.pathname).toBe('/');
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('draft');
    act(() => void router.navigate('/elsewhere'));
    await user.click(await screen.findByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/elsewhere'));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('hold back closing the tab', async () => {
    const { user } = await openTestForm(form);
    const leave = () => {
      const event = new Event('beforeunload', { cancelable: true });
      window.dispatchEvent(event);
      return event.defaultPrevented;
    };
    expect(leave()).toBe(false);
    await user.type(screen.getByLabelText('Name'), 'draft');
    expect(leave()).toBe(true);
  });
});

test('a field is drawn again only when its own part changed', async () => {
  const original = findWidget('text');
  if (!original) throw new Error('There is no widget for texts.');
  const { component: Text, ...traits } = original;
  const drawn: string[] = [];
  function Counted(props: FormWidgetProps) {
    return (
      <Profiler id={props.name} onRender={(id) => drawn.push(id)}>
        <Text {...props} />
      </Profiler>
    );
  }
  registerWidget('text', Counted, traits);
  try {
    const { user } = await openTestForm(form);
    drawn.length = 0;
    await user.type(screen.getByLabelText('Name'), 'abc');
    expect(drawn.filter((name) => name === 'note')).toEqual([]);
    expect(drawn.filter((name) => name === 'name').length).toBeGreaterThanOrEqual(3);
  } finally {
    registerWidget('text', Text, traits);
  }
});
