import type { ActionEntry } from '../../../schemas/kit/resources/resource-types.ts';
import { openDialog } from '../dialogs/index.ts';
import type { OpenFormOptions } from '../form/index.ts';
import { getCodeAction } from '../resources/registry.ts';
import type { ActionContext } from '../resources/registry.ts';
import { recordTitle } from '../resources/resource.ts';
import type { Resource, Row } from '../resources/resource.ts';
import { EMPTY_SELECTION, selectionCount, selectionInput, selectRows } from '../table/selection.ts';
import { openForm } from '../form/index.ts';
import type { Selection } from '../table/selection.ts';
import { editAtOnce } from './edit-at-once.ts';
import { appliesTo } from './applicability.ts';
import './job-start.ts';

/** What an action is run on: a header action on nothing, a row or page action on one record, a bulk action on a selection. */
export type ActionTarget =
  { kind: 'none'; initial?: OpenFormOptions['initial'] } | { kind: 'record'; row: Row } | { kind: 'selection'; selection: Selection };

export interface RunAction {
  action: ActionEntry;
  resource: Resource;
  target: ActionTarget;
  /** Loads the list or page again, after the action changed something. */
  reload: () => void;
  /** What its form starts with, over what is known of the record. */
  initial?: OpenFormOptions['initial'];
}

/**
 * Does what an action stands for: opens its form with the record or the devices payload, opens the job dialog, or runs a room's code.
 * Resolves when the dialog is closed, with whether something was done; a bulk form is sent for those that its rule applies to, a job for all, because its preview distinguishes them.
 */
export async function runAction({ action, resource, target, reload, initial }: RunAction): Promise<boolean> {
  const selection = selectionOf(target);
  const rows = selection.mode === 'rows' ? [...selection.rows.values()] : [];
  if (action.kind === 'code') {
    const run = await getCodeAction(action.run);
    const context: ActionContext = { action, resource, rows, selection, reload };
    return (await run(context)) !== false;
  }
  if (action.kind === 'job') {
    const [only] = rows;
    const started = await openDialog('job.start', {
      kind: action.job,
      ...(action.form ? { form: action.form } : {}),
      risk: action.risk,
      selection: selectionInput(selection),
      count: selectionCount(selection),
      ...(only && rows.length === 1 ? { name: recordTitle(resource, only) } : {}),
    });
    if (started) reload();
    return started !== undefined;
  }
  // A link is drawn as one and needs no running.
  if (action.kind === 'link') return false;
  let isUnderWay = false;
  const answer = await openForm(action.form, {
    ...formOptions(action, resource, target, rows),
    ...(initial ? { initial } : {}),
    // Of "all that match" only the server knows the records.
    ...(rows.length > 0
      ? {
          sendAtOnce: ({ form, data, target: sentFor }) => {
            isUnderWay = true;
            void editAtOnce({
              form,
              data,
              target: sentFor,
              resource: resource.name,
              rows,
              reload,
              reopen: () => void runAction({ action, resource, target, reload, initial: data }),
            });
          },
        }
      : {}),
  });
  if (answer && !isUnderWay) reload();
  return answer !== undefined;
}

function formOptions(action: ActionEntry, resource: Resource, target: ActionTarget, rows: readonly Row[]): OpenFormOptions {
  if (target.kind === 'none') {
    const own = action.kind === 'form' ? action.initial : undefined;
    return own || target.initial ? { initial: { ...own, ...target.initial } } : {};
  }
  if (target.kind === 'record')
    return {
      record: target.row,
      ...subtitleOf(resource, target.row),
      ...(resource.entity === 'company' ? { initial: { company_id: target.row.id, source: target.row.id } } : {}),
    };
  const { selection } = target;
  if (selection.mode === 'all') return { selection: selectionInput(selection) };
  return { ids: rows.filter((row) => appliesTo(action, row)).map((row) => row.id) };
}

/** The name of the record beside the title of the window; a longer text, or one with mark-up, is no name. */
function subtitleOf(resource: Resource, row: Row): Pick<OpenFormOptions, 'window'> {
  const name = row[resource.titleField];
  if (typeof name !== 'string' || name.trim() === '' || name.length > 100 || name.includes('<')) return {};
  return { window: { subtitle: name } };
}

function selectionOf(target: ActionTarget): Selection {
  if (target.kind === 'selection') return target.selection;
  return target.kind === 'record' ? selectRows([target.row]) : EMPTY_SELECTION;
}
