import './ui/theme/index.css';

/** Settles after the page has been painted as it came; at once where nothing is painted. */
async function painted(): Promise<void> {
  if (document.visibilityState === 'hidden' || !document.querySelector('#root > *')) return;
  await new Promise((resolve) => requestAnimationFrame(resolve));
  await new Promise((resolve) => setTimeout(resolve));
}

// A page that the server has drawn is seen first; the code of the console comes after it.
void painted()
  .then(() => import('./app/start/start.tsx'))
  .then(({ start }) => start());
