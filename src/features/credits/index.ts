import { GIGABYTES_PER_CREDIT } from '../../../schemas/kit/resources/credits.ts';
import { registerConfirmWords, registerFormPreview, registerResultView } from '../../engine/form/index.ts';
import { defineCell, registerCodeAction, registerStrip } from '../../engine/resources/registry.ts';
import type { Room } from '../../engine/rooms/room.ts';
import { CodeUseCell, CreditChangeCell, CreditTypeCell } from './cells.tsx';
import { withTexts } from '../../kernel/i18n/index.ts';

/** Credits, which the screen calls resources. */
export const room: Room = {
  pages: [{ path: '/redeem-code', permission: 'activate_credit_transfer_codes', load: () => import('./RedeemPage.tsx') }],
  register() {
    defineCell('credit-type', CreditTypeCell);
    defineCell('credit-change', CreditChangeCell);
    defineCell('code-use', CodeUseCell);
    registerStrip(
      'credit-pages',
      36,
      withTexts(['credits'], async () => (await import('./CreditPages.tsx')).CreditPages),
      { isOfPage: true },
    );
    registerCodeAction(
      'credits.save-report',
      withTexts(['credits'], async () => (await import('./save-report.ts')).saveReport),
    );
    registerResultView(
      'credits/new-code',
      withTexts(['account'], () => import('./NewCodeView.tsx')),
    );
    for (const form of ['companies/data', 'credits/move', 'credits/new-code'])
      registerFormPreview(
        form,
        withTexts(['credits'], () => import('./BalancePreview.tsx')),
      );
    registerFormPreview(
      'devices/credit',
      withTexts(['credits'], () => import('./PresentResources.tsx')),
    );
    registerConfirmWords('companies/data', ({ credits }) => {
      const count = Number(credits);
      return { count, gigabytes: count * GIGABYTES_PER_CREDIT };
    });
  },
};
