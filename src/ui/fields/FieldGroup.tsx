import type { ReactNode, Ref } from 'react';
import type { ControlAttributes } from './FieldFrame.tsx';

export interface FieldGroupProps {
  control: ControlAttributes;
  /** The group itself bears the field's id, so that a link to the field has somewhere to go; else a control inside it does. */
  hasId?: boolean;
  ref?: Ref<HTMLDivElement>;
  /** The focus leaves the whole group. */
  onLeave: () => void;
  children: ReactNode;
}

/** Several controls that are one field. */
export function FieldGroup({ control, hasId = false, ref, onLeave, children }: FieldGroupProps) {
  return (
    // It only listens to where the focus goes.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={ref}
      role="group"
      {...(hasId ? { id: control.id, tabIndex: -1 } : {})}
      aria-labelledby={control['aria-labelledby']}
      aria-describedby={control['aria-describedby']}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) onLeave();
      }}
    >
      {children}
    </div>
  );
}
