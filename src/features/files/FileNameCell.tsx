import type { CellProps } from '../../engine/resources/registry.ts';
import { Button } from '../../ui/Button.tsx';
import { openPreview } from './file-actions.ts';

/** A file's name; a press looks into it. */
export function FileNameCell({ value, row }: CellProps) {
  const name = String(value);
  return (
    <Button variant="link" onClick={() => void openPreview(row.id, name)}>
      {name}
    </Button>
  );
}
