import type { Page } from 'playwright';

/** Where the Tab key stopped on its way round, as positions in the order of the page; `order` is each of them once. */
export interface TabRound {
  /** What the stops are, to read in a failure. */
  names: string[];
  order: number[];
  forwards: (number | string)[];
  backwards: (number | string)[];
}

/** Everything that Tab must reach in the window on top, and in the tray and the messages beside it; kept in the page for `readFocus`. */
function findStops(): string[] {
  const windows = [...document.querySelectorAll('[role=dialog], [role=alertdialog]')].filter((part) => !part.closest('[inert]'));
  const regions = [windows.at(-1), ...document.querySelectorAll('[data-tray], [data-toasts]')];
  const isFirstOfRadios = (part: HTMLElement): boolean => {
    if (!(part instanceof HTMLInputElement) || part.type !== 'radio') return true;
    const group = [...document.querySelectorAll<HTMLInputElement>('input[type=radio]')].filter(({ name }) => name === part.name);
    return part === (group.find((radio) => radio.checked) ?? group[0]);
  };
  const stops = regions.flatMap((region) =>
    [...(region?.querySelectorAll<HTMLElement>('*') ?? [])].filter(
      (part) =>
        part.tabIndex >= 0 &&
        !part.matches(':disabled') &&
        !part.closest('[inert]') &&
        part.checkVisibility({ visibilityProperty: true }) &&
        isFirstOfRadios(part),
    ),
  );
  Object.assign(window, { tabStops: stops });
  const nameOf = (part: HTMLElement): string =>
    part.getAttribute('aria-label') ?? (part instanceof HTMLInputElement ? part.labels?.[0]?.textContent : null) ?? part.textContent;
  stops[0]?.focus();
  return stops.map((part) => `${part.tagName.toLowerCase()} ${nameOf(part).slice(0, 40)}`);
}

/** Where the focus is: the position among the stops, or what it is when Tab should not stop there. */
function readFocus(): { stop: number | string; isInParts: boolean } {
  const stops: unknown = Reflect.get(window, 'tabStops');
  const element = document.activeElement;
  const position = Array.isArray(stops) ? stops.indexOf(element) : -1;
  const isInParts = element?.matches('input[type^=date], input[type=time]') === true;
  return { stop: position >= 0 ? position : `${element?.tagName.toLowerCase()} ${element?.className ?? ''}`, isInParts };
}

/** Day, month, year, hours …: a browser's date input has a stop for each. */
const MOST_PARTS = 10;

/** Goes once round the window on top by Tab, from its first stop to its first stop, and once back by Shift+Tab. */
export async function goRoundByTab(page: Page): Promise<TabRound> {
  const names = await page.evaluate(findStops);
  const walk = async (key: string): Promise<(number | string)[]> => {
    const reached: (number | string)[] = [];
    let here = await page.evaluate(readFocus);
    for (let step = 0; step < names.length; step += 1) {
      const { stop, isInParts } = here;
      for (let part = 0; part < (isInParts ? MOST_PARTS : 1) && here.stop === stop; part += 1) {
        await page.keyboard.press(key);
        here = await page.evaluate(readFocus);
      }
      reached.push(here.stop);
    }
    return reached;
  };
  const order = names.map((_, position) => position);
  return { names, order, forwards: await walk('Tab'), backwards: await walk('Shift+Tab') };
}

/** What is wrong with a round: where it leaves out a stop, stays at one, or falls out of the window. */
export function faultsOfRound({ names, order, forwards, backwards }: TabRound): string[] {
  const expected = { forwards: [...order.slice(1), ...order.slice(0, 1)], backwards: order.toReversed() };
  const show = (stops: readonly (number | string)[]): string =>
    stops.map((stop) => (typeof stop === 'number' ? names[stop] : stop)).join(' → ');
  if (names.length < 2) return [`only ${names.length} stops`];
  return [
    ...(String(forwards) === String(expected.forwards) ? [] : [`Tab: ${show(forwards)}, not ${show(expected.forwards)}`]),
    ...(String(backwards) === String(expected.backwards) ? [] : [`Shift+Tab: ${show(backwards)}, not ${show(expected.backwards)}`]),
  ];
}
