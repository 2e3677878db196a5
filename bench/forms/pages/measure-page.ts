/** Resolves when what is on its way to the screen has been painted. */
function painted(): Promise<number> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', () => resolve(performance.now()));
      port1.start();
      port2.postMessage('');
    });
  });
}

/** Makes a page measurable: `bench.mount()` draws its form and answers the milliseconds, `bench.keys` holds those of every key pressed since. */
export function measurePage(mount: (root: HTMLElement) => void): void {
  const keys: number[] = [];
  const root = document.createElement('div');
  document.body.append(root);
  Object.assign(globalThis, {
    bench: {
      keys,
      async mount() {
        const begun = performance.now();
        mount(root);
        return (await painted()) - begun;
      },
    },
  });
  addEventListener('keydown', (event) => void painted().then((end) => keys.push(end - event.timeStamp)), { capture: true });
}

/** How many fields the page is asked for. */
export function askedSize(): number {
  return Number(new URLSearchParams(location.search).get('size'));
}
