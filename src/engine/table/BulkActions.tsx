import { useT } from '../../kernel/i18n/index.ts';
import { BulkBar, Button, findIconName, IconButton, Menu, type MenuEntry, Tooltip } from '../../ui/index.ts';
import type { ActionEntry } from '../../../schemas/kit/resources/resource-types.ts';
import { judgeAction } from '../actions/applicability.ts';
import type { Resource } from '../resources/resource.ts';
import { actionLabel, ruleText } from './labels.ts';
import { selectionCount } from './selection.ts';
import type { SelectionControl } from './use-selection.ts';

export interface BulkActionsProps {
  resource: Resource;
  actions: readonly ActionEntry[];
  selection: SelectionControl;
  /** How many records match the filter. */
  total: number;
  isNarrow: boolean;
  onAction: (action: ActionEntry) => void;
}

const SHOWN = 4;
const SHOWN_NARROW = 2;

/** The bar over the foot of the list while something is chosen: how many, all that match, clear, and what can be done with them. */
export function BulkActions({ resource, actions, selection: control, total, isNarrow, onAction }: BulkActionsProps) {
  const t = useT();
  const { selection } = control;
  const count = selectionCount(selection);
  const shown = isNarrow ? SHOWN_NARROW : SHOWN;
  const offers = actions.map((action) => describeOffer(resource, action, control, t));
  // The dangerous ones last; added forms come before them.
  const rest = offers.slice(shown).toSorted((a, b) => Number(a.action.danger ?? false) - Number(b.action.danger ?? false));
  const summary = (
    <>
      <strong>{t('table.selected', { count })}</strong>
      {selection.mode === 'all' ? <span>{t('table.allMatching')}</span> : null}
      {selection.mode === 'rows' && total > count ? (
        <Button variant="link" onClick={control.selectAll}>
          {t('table.selectAllMatching', { count: total })}
        </Button>
      ) : null}
      <span aria-hidden="true">·</span>
      <Button variant="link" onClick={control.clear}>
        {t('table.clearSelection')}
      </Button>
    </>
  );
  return (
    <BulkBar label={t('table.bulk')} summary={summary}>
      {offers.slice(0, shown).map((offer) => (
        <OfferButton key={offer.action.id} offer={offer} onAction={onAction} />
      ))}
      {rest.length > 0 ? (
        <Menu
          label={t('table.moreActions')}
          entries={rest.map((offer, index): MenuEntry => ({
            id: offer.action.id,
            label: offer.label,
            icon: findIconName(offer.action.icon),
            isDanger: offer.action.danger ?? false,
            hasDivider: offer.action.danger === true && index > 0 && rest[index - 1]?.action.danger !== true,
            isDisabled: !offer.isEnabled,
            ...(offer.note ? { detail: offer.note } : {}),
            onSelect: () => onAction(offer.action),
          }))}
        >
          <IconButton icon="ellipsis" label={t('table.moreActions')} hasBorder />
        </Menu>
      ) : null}
    </BulkBar>
  );
}

interface Offer {
  action: ActionEntry;
  label: string;
  isEnabled: boolean;
  /** How many it applies to and why not to the others; empty when it applies to all. */
  note: string;
  /** "3 of 12", empty when it applies to all or is not known here. */
  part: string;
}

function describeOffer(resource: Resource, action: ActionEntry, control: SelectionControl, t: ReturnType<typeof useT>): Offer {
  const { count, total, isEnabled } = judgeAction(action, control.selection);
  const isPartial = count !== undefined && count < total;
  const part = isPartial ? t('table.partOf', { part: count, count: total }) : '';
  return {
    action,
    label: actionLabel(action),
    isEnabled,
    part: isEnabled ? part : '',
    note: isPartial ? t('table.appliesTo', { part, reason: ruleText(resource, action) }) : '',
  };
}

function OfferButton({ offer, onAction }: { offer: Offer; onAction: (action: ActionEntry) => void }) {
  const { action, label, part, note, isEnabled } = offer;
  const button = (
    <Button
      icon={findIconName(action.icon)}
      variant={action.danger ? 'danger' : 'default'}
      // Not `disabled`: the reason must be reachable by keyboard.
      aria-disabled={!isEnabled}
      onClick={isEnabled ? () => onAction(action) : undefined}
    >
      {part ? `${label} (${part})` : label}
    </Button>
  );
  return note ? <Tooltip text={note}>{button}</Tooltip> : button;
}
