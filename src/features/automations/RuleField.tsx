import type { JsonValue } from '../../../schemas/kit/form/types.ts';
import type { FormWidgetProps } from '../../engine/form/index.ts';
import { FieldGroup } from '../../ui/index.ts';
import { BranchesEditor } from './RuleEditor.tsx';
import type { RuleBranch } from './rule-words.ts';

const branchesOf = (value: JsonValue | undefined): RuleBranch[] => (Array.isArray(value) ? (value as unknown as RuleBranch[]) : []);

/** The rule of an automation as a field of a form: branches with conditions and actions, each fault at its row. */
export default function RuleField({ value, control, items, disabled, readonly, id, onChange, onBlur }: FormWidgetProps) {
  return (
    <FieldGroup control={control} onLeave={() => onBlur(id, value)}>
      <BranchesEditor
        branches={branchesOf(value)}
        items={items}
        level={1}
        disabled={disabled === true || readonly === true}
        id={control.id}
        onChange={onChange}
      />
    </FieldGroup>
  );
}
