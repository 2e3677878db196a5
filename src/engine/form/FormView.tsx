import { useDeferredValue, useEffect, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { useT, useText } from '../../kernel/i18n/index.ts';
import { HiddenSubmit } from '../../ui/index.ts';
import { FormErrors } from './FormErrors.tsx';
import { FormPreview } from './FormPreview.tsx';
import { focusNode } from './focus-node.ts';
import { ShownContext } from './shown-context.ts';
import { ShownFieldsNotice } from './ShownFieldsNotice.tsx';
import { FormTree } from './theme/FormTree.tsx';
import styles from './form.module.css';
import type { FormController } from './use-form-controller.ts';

/** The fields of a form with its errors above them. Buttons are elsewhere and name `controller.formId`. */
export function FormView({ controller, intro }: { controller: FormController; intro?: string }) {
  const { model, formId, phase } = controller;
  const t = useT();
  const text = useText();
  const root = useRef<HTMLFormElement>(null);
  const { form } = model.module;
  // What is typed shows at once, in the field itself; what else depends on it may come a moment later.
  const fields = useDeferredValue(useSyncExternalStore(model.subscribe, () => model.visible().fields));
  const alerts = useDeferredValue(useSyncExternalStore(model.subscribe, () => model.visible().alerts));
  const shown = useMemo(() => ({ fields: new Set(fields), alerts: new Set(alerts) }), [fields, alerts]);
  const isWaiting = phase.state === 'waiting';

  useFocusAfterRefusal(root, controller);
  useKeptFocus(root, controller, fields);

  const description = intro ?? text(form.description);
  return (
    // It only lets what was typed reach the buttons of lists before they are pressed.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <form
      ref={root}
      id={formId}
      className={styles.form}
      noValidate
      aria-busy={isWaiting}
      onClickCapture={() => {
        if (model.isUnsettled()) flushSync(model.settleNow);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        void controller.submit();
      }}
    >
      {description ? <p className={styles.intro}>{description}</p> : null}
      <FormErrors controller={controller} />
      <ShownContext value={shown}>
        <FormTree model={model} formId={formId} />
      </ShownContext>
      <FormPreview controller={controller} />
      <HiddenSubmit>{t('form.submit')}</HiddenSubmit>
      <span className="visually-hidden" role="status">
        {isWaiting ? t('form.sending') : ''}
      </span>
      <ShownFieldsNotice form={form} fields={fields} />
    </form>
  );
}

/** After a refusal: the surface scrolls to its top (docs/behaviour.md section 4), then the first wrong field gets the focus. */
function useFocusAfterRefusal(root: React.RefObject<HTMLFormElement | null>, { model, attempts, formId }: FormController): void {
  useEffect(() => {
    if (attempts === 0) return;
    const form = root.current;
    form?.closest('[data-dialog-body]')?.scrollTo?.({ top: 0 });
    const [first] = model.wrongNodes();
    if (first !== undefined && focusNode(formId, first)) return;
    form?.querySelector<HTMLElement>('[data-form-errors]')?.focus();
  }, [attempts, model, root, formId]);
}

/** A field that goes while it has the focus must not drop the focus to the page: the field before it takes over. */
function useKeptFocus(root: React.RefObject<HTMLFormElement | null>, { formId, model }: FormController, fields: readonly string[]): void {
  const before = useRef({ fields, focused: '' });
  useLayoutEffect(() => {
    const last = before.current;
    if (last.focused && !fields.includes(last.focused) && document.activeElement === document.body) {
      const index = last.fields.indexOf(last.focused);
      const next = last.fields.slice(0, index).findLast((name) => fields.includes(name)) ?? fields[0];
      if (next !== undefined) focusNode(formId, next);
    }
    before.current = { ...last, fields };
    function handleFocus(event: FocusEvent): void {
      const field = event.target instanceof Element ? event.target.closest('[data-field]') : null;
      const id = field?.getAttribute('data-field') ?? '';
      before.current.focused = model.pathOf(id)?.join('.') ?? '';
    }
    const form = root.current;
    form?.addEventListener('focusin', handleFocus);
    return () => form?.removeEventListener('focusin', handleFocus);
  }, [fields, root, formId, model]);
}
