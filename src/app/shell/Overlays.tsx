import { DialogHost } from '../../engine/dialogs/index.ts';
import { BackToTop, Toasts } from '../../ui/index.ts';

/** What lies over every page: dialogs, toasts, the way back up. */
export function Overlays() {
  return (
    <>
      <BackToTop />
      <DialogHost />
      <Toasts />
    </>
  );
}
