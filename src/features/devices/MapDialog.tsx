import { DialogWindow } from '../../engine/dialogs/index.ts';
import type { DialogComponent } from '../../engine/dialogs/registry.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { FleetMap } from './FleetMap.tsx';

declare module '../../engine/dialogs/registry.ts' {
  interface DialogTypes {
    /** Devices on a map; `query`: the filters of their list. */
    'devices.map': { props: { query: Readonly<Record<string, string>> }; result: undefined };
  }
}

const HEIGHT = 440;

const MapDialog: DialogComponent<'devices.map'> = ({ dialog, query }) => {
  const t = useT();
  return (
    <DialogWindow dialog={dialog} title={t('map.title')}>
      <FleetMap query={query} height={HEIGHT} />
    </DialogWindow>
  );
};
export default MapDialog;
