import { DialogHost } from '../../engine/dialogs/index.ts';
import { Toasts } from '../../ui/Toasts.tsx';
import { ScrollToTop } from './ScrollToTop.tsx';

/** What lies over every page: dialogs, toasts, the way back up. */
export function Overlays() {
  return (
    <>
      <ScrollToTop />
      <DialogHost />
      <Toasts />
    </>
  );
}
