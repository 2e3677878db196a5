import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useEffect } from 'react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { renderConsole } from '../form/test-kit.tsx';
import { closeAllDialogs, confirm, openDialog, prompt, registerDialog } from './index.ts';
import { DialogWindow } from './DialogWindow.tsx';
import type { DialogHandle } from './registry.ts';

declare module './registry.ts' {
  interface DialogTypes {
    'test.window': { props: { title: string; locked?: boolean; guard?: () => Promise<boolean> }; result: string };
  }
}

interface TestWindowProps {
  title: string;
  locked?: boolean;
  guard?: () => Promise<boolean>;
  dialog: DialogHandle<string>;
}

function TestWindow({ title, locked, guard, dialog }: TestWindowProps) {
  useEffect(() => {
    dialog.setTray({ title, percent: 64 });
    dialog.setLocked(locked === true);
    dialog.setGuard(guard);
  }, [dialog, title, locked, guard]);
  return (
    <DialogWindow
      dialog={dialog}
      title={title}
      canMinimize
      canFullscreen
      hidesClose={locked}
      footer={
        <button type="button" onClick={() => dialog.close(`answer of ${title}`)}>
          Answer {title}
        </button>
      }
    >
      <input aria-label={`Text of ${title}`} />
    </DialogWindow>
  );
}

registerDialog('test.window', async () => ({ default: TestWindow }));

let user: ReturnType<typeof userEvent.setup>;
beforeEach(async () => {
  await renderConsole(<button type="button">Opener</button>);
  user = userEvent.setup();
  screen.getByRole('button', { name: 'Opener' }).focus();
});
afterEach(() => act(() => closeAllDialogs()));

async function open(
  title: string,
  rest: { locked?: boolean; guard?: () => Promise<boolean> } = {},
): Promise<Promise<string | undefined>[]> {
  let result: Promise<string | undefined> | undefined;
  act(() => {
    result = openDialog('test.window', { title, ...rest }, { id: title });
  });
  await screen.findByRole('dialog', { name: title });
  // In a list, because a promise returned from an async function would be waited for.
  return result ? [result] : [];
}

describe('focus and keys [D1]', () => {
  test('the focus goes into the window named by its title, and back to the opener after', async () => {
    const [result] = await open('One');
    expect(document.activeElement).toBe(screen.getByLabelText('Text of One'));
    await user.click(screen.getByRole('button', { name: 'Answer One' }));
    expect(await result).toBe('answer of One');
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Opener' }));
  });

  test('Tab goes round inside the window, both ways', async () => {
    await open('One');
    const dialog = screen.getByRole('dialog');
    for (let step = 0; step < 9; step += 1) {
      await user.tab();
      expect(dialog.contains(document.activeElement)).toBe(true);
    }
    for (let step = 0; step < 9; step += 1) {
      await user.tab({ shift: true });
      expect(dialog.contains(document.activeElement)).toBe(true);
    }
  });

  test('Escape closes the top one only, and the focus goes to the one below', async () => {
    const [one] = await open('One');
    const [two] = await open('Two');
    await user.keyboard('{Escape}');
    expect(await two).toBeUndefined();
    expect(document.activeElement).toBe(screen.getByLabelText('Text of One'));
    await user.keyboard('{Escape}');
    expect(await one).toBeUndefined();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('Escape does nothing while the window has no cross', async () => {
    await open('One', { locked: true });
    await user.keyboard('{Escape}');
    expect(screen.getByRole('dialog', { name: 'One' })).toBeTruthy();
  });

  test('everything behind is inert and the page does not scroll, until the window is gone', async () => {
    await open('One');
    const behind = screen.getByRole('button', { name: 'Opener', hidden: true });
    expect(behind.closest('[inert]')).not.toBeNull();
    expect(document.documentElement.dataset).toHaveProperty('scrollLocked');
    expect(screen.getByRole('region', { name: 'Messages', hidden: true }).closest('[inert]')).toBeNull();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(behind.closest('[inert]')).toBeNull());
    expect(document.documentElement.dataset).not.toHaveProperty('scrollLocked');
  });
});

describe('a guarded window [F4]', () => {
  test('stays open when its guard says so, whichever way it is closed', async () => {
    let asked = 0;
    await open('One', { guard: () => Promise.resolve(++asked > 2) });
    await user.keyboard('{Escape}');
    await user.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.getByRole('dialog', { name: 'One' })).toBeTruthy();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(asked).toBe(3);
  });
});

describe('the tray [D2]', () => {
  test('holds a minimised window with its percent, frees the page, and restores it with what was typed', async () => {
    await open('One');
    await user.type(screen.getByLabelText('Text of One'), 'draft');
    await user.click(screen.getByRole('button', { name: 'Minimise' }));
    const tray = screen.getByRole('toolbar', { name: 'Minimised windows' });
    expect(within(tray).getByRole('button', { name: /One\s*64 %/ })).toBeTruthy();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.documentElement.dataset).not.toHaveProperty('scrollLocked');
    expect(screen.getByRole('button', { name: 'Opener' }).closest('[inert]')).toBeNull();
    await user.click(within(tray).getByRole('button', { name: /One\s*64 %/ }));
    expect(screen.getByLabelText<HTMLInputElement>('Text of One').value).toBe('draft');
    expect(screen.getByRole('dialog').contains(document.activeElement)).toBe(true);
  });

  test('is reached by Tab from a window that is open beside it, and by arrow keys along it', async () => {
    await open('One');
    await user.click(screen.getByRole('button', { name: 'Minimise' }));
    await open('Two');
    screen.getByRole('button', { name: 'Answer Two' }).focus();
    await user.tab();
    expect(screen.getByRole('toolbar').contains(document.activeElement)).toBe(true);
    await user.keyboard('{ArrowRight}');
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Close One' }));
    await user.tab();
    expect(screen.getByRole('dialog', { name: 'Two' }).contains(document.activeElement)).toBe(true);
  });

  test('refuses the sixth window in the words of the specification', async () => {
    for (const name of ['1', '2', '3', '4', '5']) {
      await open(name);
      await user.click(screen.getByRole('button', { name: 'Minimise' }));
    }
    await open('6');
    await user.click(screen.getByRole('button', { name: 'Minimise' }));
    expect(screen.getByRole('dialog', { name: '6' })).toBeTruthy();
    expect(await screen.findByText('You can not minimize more than 5 windows')).toBeTruthy();
  });

  test('opening the same id again answers the first opening with nothing', async () => {
    const [first] = await open('One');
    const [second] = await open('One');
    expect(await first).toBeUndefined();
    expect(screen.getAllByRole('dialog').length).toBe(1);
    await user.click(screen.getByRole('button', { name: 'Answer One' }));
    expect(await second).toBe('answer of One');
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Opener' }));
  });
});

describe('confirmations [B2]', () => {
  test('a dangerous one starts on Cancel and answers false for Escape', async () => {
    const answer = confirm({ title: 'Remove?', confirmText: 'Remove', danger: true });
    const dialog = await screen.findByRole('alertdialog', { name: 'Remove?' });
    expect(document.activeElement).toBe(within(dialog).getByRole('button', { name: 'Cancel' }));
    await user.keyboard('{Escape}');
    expect(await answer).toBe(false);
  });

  test('a typed one is confirmed only by the exact words, and says so at the field', async () => {
    const answer = confirm({ title: 'Remove 214 devices', confirmText: 'Remove', danger: true, typed: '214' });
    const field = await screen.findByRole('textbox', { name: 'Type 214 to confirm' });
    await user.type(field, '21');
    await user.click(screen.getByRole('button', { name: 'Remove' }));
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(field);
    await user.type(field, '4{Enter}');
    expect(await answer).toBe(true);
  });

  test('a question has no way to minimise it [D4]', async () => {
    void confirm({ title: 'Sure?' });
    const dialog = await screen.findByRole('alertdialog');
    expect(within(dialog).queryByRole('button', { name: 'Minimise' })).toBeNull();
  });
});

test('a prompt wants text and answers it trimmed', async () => {
  const answer = prompt({ title: 'Rename', input: { label: 'Name' } });
  const field = await screen.findByRole('textbox', { name: 'Name' });
  await user.type(field, '   {Enter}');
  expect(field.getAttribute('aria-invalid')).toBe('true');
  await user.type(field, ' quay  {Enter}');
  expect(await answer).toBe('quay');
});

test('a dialog that nobody registered is refused by name', () => {
  // @ts-expect-error: no such dialog
  expect(() => openDialog('no.such', {})).toThrow('No dialog named "no.such"');
});
