import type { Area } from '../../../../schemas/kit/form/area.ts';
import { useT, withTexts } from '../../../kernel/i18n/index.ts';
import { IconButton } from '../../../ui/index.ts';
import { openDialog, registerDialog } from '../../dialogs/index.ts';

registerDialog(
  'map.area',
  withTexts(['map'], () => import('./AreaDialog.tsx')),
);

interface AreaButtonProps {
  /** Asked when the map is opened. */
  area: () => Partial<Area>;
  disabled?: boolean;
  onArea(area: Area): void;
}

/** Opens a map on which a round area is chosen. */
export function AreaButton({ area, disabled = false, onArea }: AreaButtonProps) {
  const t = useT();
  const choose = async (): Promise<void> => {
    const chosen = await openDialog('map.area', { area: area() });
    if (chosen) onArea(chosen);
  };
  return <IconButton icon="map-pin" hasBorder label={t('form.area.choose')} disabled={disabled} onClick={() => void choose()} />;
}
