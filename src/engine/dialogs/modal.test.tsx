import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { chooseOption } from '../../ui/test-kit.ts';
import { settings } from '../../kernel/settings/index.ts';
import { renderConsole, startTestServer } from '../form/test-kit.tsx';
import { closeAllDialogs, openModal, registerDialog, useGuideMode } from './index.ts';
import { DialogWindow } from './DialogWindow.tsx';
import type { TestServer } from '../form/test-kit.tsx';
import type { QuestionModal } from './descriptor.ts';
import type { ComponentModal } from './modal.ts';
import type { DialogHandle } from './registry.ts';

declare module './registry.ts' {
  interface DialogTypes {
    'test.plain': { props: { word: string }; result: string };
    'test.guide': { props: object; result: string };
  }
}
function PlainWindow({ word, dialog }: { word: string; dialog: DialogHandle<string> }) {
  return (
    <DialogWindow dialog={dialog} title={`Window of ${word}`} canMinimize canFullscreen>
      <button type="button" onClick={() => dialog.close(word)}>
        Say {word}
      </button>
    </DialogWindow>
  );
}
function GuidingWindow({ dialog }: { dialog: DialogHandle<string> }) {
  const [isGuiding, setGuiding] = useState(true);
  useGuideMode(isGuiding);
  return (
    <DialogWindow dialog={dialog} title="Guide">
      <button type="button" onClick={() => setGuiding(false)}>
        It is done
      </button>
    </DialogWindow>
  );
}
registerDialog('test.guide', async () => ({ default: GuidingWindow }));
registerDialog('test.plain', async () => ({ default: PlainWindow }));

let user: ReturnType<typeof userEvent.setup>;
let server: TestServer;
beforeEach(async () => {
  server = await startTestServer(() => ({ body: { success: true, data: null } }));
  await renderConsole(<p>Page</p>);
  user = userEvent.setup();
});
afterEach(async () => {
  act(() => closeAllDialogs());
  await server.close();
});

const CHOICES = [
  { value: 1, label: 'Oslo' },
  { value: 2, label: 'Bergen' },
];

async function ask(question: Partial<QuestionModal>): Promise<{ dialog: HTMLElement; answer: Promise<unknown>; settled: () => boolean }> {
  let isSettled = false;
  const answer = openModal({ title: 'Sure?', ...question }).finally(() => (isSettled = true));
  const dialog = await screen.findByRole(question.input || question.selectBox ? 'dialog' : 'alertdialog', { name: 'Sure?' });
  return { dialog, answer, settled: () => isSettled };
}
async function show(options: Partial<ComponentModal<'test.plain'>>): Promise<{ dialog: HTMLElement; answer: Promise<unknown> }> {
  const answer = openModal({ component: 'test.plain', props: { word: 'yes' }, ...options });
  await waitFor(() => expect(document.querySelector('[data-dialog]')).not.toBeNull());
  await screen.findByRole('button', { name: 'Say yes', hidden: true });
  const dialog = document.querySelector<HTMLElement>('[role="dialog"]');
  if (!dialog) throw new Error('No dialog is open.');
  return { dialog, answer };
}
const press = (name: string) => user.click(screen.getByRole('button', { name }));

describe('a question [D4]', () => {
  test('has the buttons Confirm and Cancel by default, and returns the configured values', async () => {
    const { answer } = await ask({ returnValue: 'go' });
    expect(screen.getByRole('button', { name: 'Cancel' })).toBeTruthy();
    await press('Confirm');
    expect(await answer).toBe('go');
  });

  test('without a value to return answers the descriptor with what was entered', async () => {
    const { answer } = await ask({
      input: { label: 'Name' },
      selectBox: { label: 'City', choices: CHOICES },
      selectionKey: 'city_id',
      props: { device: 7 },
      confirmText: 'Go',
      cancelText: 'Leave it',
    });
    await user.type(screen.getByRole('textbox', { name: 'Name' }), ' Quay ');
    await chooseOption(user, screen.getByRole('combobox', { name: 'City' }), 'Bergen');
    await press('Go');
    expect(await answer).toMatchObject({ title: 'Sure?', input: { label: 'Name', value: 'Quay' }, props: { device: 7, city_id: 2 } });
  });

  test('cancelled answers nothing, or false when that was asked for', async () => {
    const first = await ask({ returnValue: 'go' });
    await press('Cancel');
    expect(await first.answer).toBeUndefined();
    const second = await ask({ returnValue: 'go', useCancelResolve: true });
    await user.keyboard('{Escape}');
    expect(await second.answer).toBe(false);
  });

  test('cannot be confirmed while nothing is chosen, or while its rule forbids it', async () => {
    await ask({ selectBox: { label: 'City', choices: CHOICES }, disabled: ({ selection }) => selection === 1 });
    const isDisabled = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Confirm' }).disabled;
    const box = screen.getByRole('combobox', { name: 'City' });
    expect(isDisabled()).toBe(true);
    await chooseOption(user, box, 'Oslo');
    expect(isDisabled()).toBe(true);
    await chooseOption(user, box, 'Bergen');
    expect(isDisabled()).toBe(false);
  });

  test('shows a choice that cannot be changed, or need not be made', async () => {
    const fixed = await ask({ id: 'fixed', selectBox: { label: 'City', choices: CHOICES, value: 1 }, selectBoxReadonly: true });
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'City' }).disabled).toBe(true);
    await press('Confirm');
    expect(await fixed.answer).toMatchObject({ props: { selection: 1 } });
    const free = await ask({ id: 'free', selectBox: { label: 'City', choices: CHOICES }, disableSelection: true, returnValue: 'go' });
    await press('Confirm');
    expect(await free.answer).toBe('go');
  });

  test('is not asked again once the user said so, and is asked again when it is turned on', async () => {
    const question = { reminderKey: 'reboot.one', returnValue: 'go', title: 'Sure?' };
    const first = await ask(question);
    await user.click(screen.getByRole('checkbox', { name: 'Do not show this again' }));
    await press('Confirm');
    expect(await first.answer).toBe('go');
    await waitFor(() => expect(settings.get('prompt.reboot.one')).toBe('Sure?'));
    expect(server.calls.at(-1)).toMatchObject({ method: 'POST', path: '/storage', body: { key: 'prompt.reboot.one', value: 'Sure?' } });
    expect(await openModal(question)).toBe('go');
    await settings.remove('prompt.reboot.one');
    const again = await ask(question);
    expect(again.settled()).toBe(false);
  });

  test('that was cancelled is asked again, ticked or not', async () => {
    const { answer } = await ask({ reminderKey: 'other', returnValue: 'go' });
    await user.click(screen.getByRole('checkbox', { name: 'Do not show this again' }));
    await press('Cancel');
    await answer;
    expect(settings.get('prompt.other')).toBeUndefined();
  });

  test('has no way to minimise it, and a press beside it does nothing', async () => {
    const { dialog } = await ask({});
    expect(within(dialog).queryByRole('button', { name: 'Minimise' })).toBeNull();
    const slot = dialog.closest('[data-dialog]');
    if (slot) await user.click(slot);
    expect(screen.getByRole('alertdialog', { name: 'Sure?' })).toBeTruthy();
  });
});

describe('a window with options', () => {
  test('takes title and subtitle from its opening, and closes with its own result', async () => {
    const { answer } = await show({ title: 'Named', subtitle: 'two devices' });
    expect(screen.getByRole('dialog', { name: 'Named' }).textContent).toContain('two devices');
    await press('Say yes');
    expect(await answer).toBe('yes');
  });

  test('without header controls has no button in its header, and Escape does nothing [D1]', async () => {
    const { dialog } = await show({ hideHeaderControls: true });
    expect(within(dialog).getAllByRole('button')).toHaveLength(1);
    await user.keyboard('{Escape}');
    const slot = dialog.closest('[data-dialog]');
    if (slot) await user.click(slot);
    expect(screen.getByRole('dialog', { name: 'Window of yes' })).toBe(dialog);
  });

  test('without a header still has its name, and Escape does nothing [D1]', async () => {
    await show({ hideHeader: true });
    await user.keyboard('{Escape}');
    const dialog = screen.getByRole('dialog', { name: 'Window of yes' });
    expect(within(dialog).queryByRole('heading')).toBeNull();
  });

  test('no key closes it while somebody is guided [D1]', async () => {
    const answer = openModal({ component: 'test.guide', props: {}, useCancelResolve: true });
    await screen.findByRole('button', { name: 'It is done' });
    await user.keyboard('{Escape}');
    expect(screen.getByRole('dialog', { name: 'Guide' })).toBeTruthy();
    // Another window is closed as ever.
    const { answer: other } = await show({ useCancelResolve: true });
    await user.keyboard('{Escape}');
    expect(await other).toBe(false);
    await press('It is done');
    await user.keyboard('{Escape}');
    expect(await answer).toBe(false);
  });

  test('lets what is inside reach its edges', async () => {
    const bodyClass = async (options: Partial<ComponentModal<'test.plain'>>): Promise<string> =>
      (await show(options)).dialog.querySelector('[data-dialog-body]')?.className ?? '';
    const plain = await bodyClass({});
    act(() => closeAllDialogs());
    expect((await bodyClass({ noPadding: true })).replace(plain, '')).toMatch(/bare/);
  });

  test('can forbid minimising and full screen [D2]', async () => {
    const { dialog } = await show({ minimizeDisable: true, fullScreenControl: false });
    expect(within(dialog).queryByRole('button', { name: 'Minimise' })).toBeNull();
    expect(within(dialog).queryByRole('button', { name: 'Full screen' })).toBeNull();
  });

  test('opens in the tray, or in full screen [D2]', async () => {
    await show({ id: 'small', title: 'Small', minimized: true });
    expect(within(await screen.findByRole('toolbar')).getByRole('button', { name: 'Small' })).toBeTruthy();
    expect(screen.queryByRole('dialog')).toBeNull();
    void openModal({ component: 'test.plain', props: { word: 'no' }, fullscreen: true });
    const large = await screen.findByRole('dialog', { name: 'Window of no' });
    expect(within(large).getByRole('button', { name: 'Leave full screen' })).toBeTruthy();
  });

  test('opened below the main window leaves the focus there', async () => {
    await show({ id: 'top' });
    const button = screen.getByRole('button', { name: 'Say yes' });
    button.focus();
    act(() => void openModal({ component: 'test.plain', props: { word: 'no' }, id: 'below', mainModal: false }));
    await screen.findByRole('button', { name: 'Say no', hidden: true });
    expect(document.activeElement).toBe(button);
    expect(screen.getByRole('button', { name: 'Say no', hidden: true }).closest('[inert]')).not.toBeNull();
  });

  test('has a help link to the guide of the console, or to the documentation where that has an address of its own', async () => {
    await show({ id: 'shipped', helpLinkKey: 'jobs' });
    expect(screen.getByRole('link', { name: 'Help: Window of yes' }).getAttribute('href')).toBe('/help/jobs');
    const docs = Object.assign(document.createElement('meta'), { name: 'docs', content: 'https://docs.example/en/' });
    document.head.append(docs);
    void openModal({ component: 'test.plain', props: { word: 'no' }, helpLinkKey: 'jobs' });
    const link = await screen.findByRole('link', { name: 'Help: Window of no' });
    expect(link.getAttribute('href')).toBe('https://docs.example/en/jobs');
    docs.remove();
  });
});
