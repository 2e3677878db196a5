import { registerResultView } from '../../engine/form/index.ts';
import type { Room } from '../../engine/rooms/room.ts';

/** Credits, which the screen calls resources. */
export const room: Room = {
  register() {
    registerResultView('credits/new-code', () => import('./NewCodeView.tsx'));
  },
};
