import type { ComponentType } from 'react';
import { TranslatableString, type IconButtonProps } from '@rjsf/utils';
import { Button, IconButton, type IconName } from '../../../../ui/index.ts';
import { contextOf } from '../form-registry-context.ts';
import { useItemNumber } from './item-context.ts';

function iconButton(icon: IconName, text: string): ComponentType<IconButtonProps> {
  return function ItemButton({ id, className, disabled, onClick, registry }: IconButtonProps) {
    const { t } = contextOf(registry);
    const number = useItemNumber();
    return (
      <IconButton
        icon={icon}
        size="small"
        label={number === 0 ? t(`form.schema.${text}`) : t(`form.schema.item.${text}`, { number })}
        id={id}
        className={className}
        disabled={disabled}
        onClick={onClick}
      />
    );
  };
}

function AddButton({ id, className, disabled, onClick, registry }: IconButtonProps) {
  return (
    <div>
      <Button size="small" icon="plus" id={id} className={className} disabled={disabled} onClick={onClick}>
        {registry.translateString(TranslatableString.AddButton)}
      </Button>
    </div>
  );
}

/** The buttons of lists and objects. The form's own submit button is elsewhere. */
export const ButtonTemplates = {
  AddButton,
  CopyButton: iconButton('copy', 'copy'),
  MoveUpButton: iconButton('chevron-up', 'move_up'),
  MoveDownButton: iconButton('chevron-down', 'move_down'),
  RemoveButton: iconButton('trash-2', 'remove'),
  ClearButton: iconButton('x', 'clear'),
  SubmitButton: () => null,
};
