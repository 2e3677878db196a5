import { registerWidget } from '../../engine/form/index.ts';
import { registerDialog } from '../../engine/dialogs/index.ts';
import { registerCell, registerCodeAction, registerStrip } from '../../engine/resources/registry.ts';
import type { Room } from '../../engine/rooms/room.ts';
import { RuleWidget } from './RuleWidget.tsx';
import { withTexts } from '../../kernel/i18n/index.ts';

/** The automations: the page of one, what it did and why. */
export const room: Room = {
  register() {
    registerWidget('rule', RuleWidget, { layout: 'group', isWide: true, showsPartErrors: true });
    registerDialog(
      'automations.explain',
      withTexts(['automations'], () => import('./ExplainDialog.tsx')),
    );
    registerCell(
      'automation-conditions',
      withTexts(['automations'], async () => (await import('./cells.tsx')).ConditionsCell),
    );
    registerCell(
      'alert-state',
      withTexts(['automations'], async () => (await import('./AlertStateCell.tsx')).AlertStateCell),
    );
    registerCell(
      'automation-actions',
      withTexts(['automations'], async () => (await import('./cells.tsx')).ActionsCell),
    );
    registerCodeAction(
      'automations.enable',
      withTexts(['automations'], async () => (await import('./automation-actions.ts')).enable),
    );
    registerCodeAction(
      'automations.disable',
      withTexts(['automations'], async () => (await import('./automation-actions.ts')).disable),
    );
    registerCodeAction(
      'automations.enableDevice',
      withTexts(['automations'], async () => (await import('./automation-actions.ts')).enableDevice),
    );
    registerCodeAction(
      'automations.disableDevice',
      withTexts(['automations'], async () => (await import('./automation-actions.ts')).disableDevice),
    );
    registerCodeAction(
      'automations.export',
      withTexts(['automations'], async () => (await import('./automation-actions.ts')).exportAutomation),
    );
    registerCodeAction(
      'automations.import',
      withTexts(['automations', 'errors'], async () => (await import('./automation-actions.ts')).importAutomation),
    );
    // On the page of one device there is nothing to group.
    registerStrip(
      'alert-groups',
      34,
      withTexts(['automations'], async () => (await import('./AlertGroups.tsx')).default),
      { isOfPage: true },
    );
    registerCodeAction('alerts.acknowledgeMany', async () => (await import('./alert-actions.ts')).acknowledgeMany);
    registerCodeAction('alerts.snoozeMany', async () => (await import('./alert-actions.ts')).snoozeMany);
    registerCodeAction(
      'automations.explain',
      withTexts(['automations'], async () => (await import('./automation-actions.ts')).explain),
    );
  },
  showPages: { automations: withTexts(['automations', 'json', 'forms-devices', 'forms-hotspots'], () => import('./AutomationPage.tsx')) },
};
