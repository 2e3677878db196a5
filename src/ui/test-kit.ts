import { screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';

/** Opens a list of choices and takes the one with these words. */
export async function chooseOption(user: UserEvent, box: HTMLElement, words: string | RegExp): Promise<void> {
  await user.click(box);
  await user.click(await screen.findByRole('option', { name: words }));
}

/** The words of what a list of choices has chosen, as they are read out with it. */
export function chosenOf(box: HTMLElement): string | null | undefined {
  const [first] = (box.getAttribute('aria-describedby') ?? '').split(' ');
  return first?.endsWith('-value') ? document.getElementById(first)?.textContent : undefined;
}
