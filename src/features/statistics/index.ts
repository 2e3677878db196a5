import { defineCell, registerStrip } from '../../engine/resources/registry.ts';
import type { Room } from '../../engine/rooms/room.ts';
import { withTexts } from '../../kernel/i18n/index.ts';
import { JobKindWord, knownBytes, knownNumber } from './cells.tsx';

/** Figures and logs of the installation. */
export const room: Room = {
  register() {
    defineCell('known-number', knownNumber);
    defineCell('known-bytes', knownBytes);
    defineCell('job-kind-word', JobKindWord);
    registerStrip(
      'statistics-pages',
      36,
      withTexts(['statistics'], async () => (await import('./StatisticsPages.tsx')).StatisticsPages),
    );
  },
};
