import { useDeferredValue, useEffect, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { layoutOf } from '../../../schemas/kit/form-layout.ts';
import { useT, useText } from '../../kernel/i18n/index.ts';
import './built-in-kinds.tsx';
import { FormContext, ShownContext } from './form-context.ts';
import { FormErrors } from './FormErrors.tsx';
import { FormPreview } from './FormPreview.tsx';
import { FormItems } from './FormItems.tsx';
import { FormSection } from './FormSection.tsx';
import { ShownFieldsNotice } from './ShownFieldsNotice.tsx';
import styles from './form.module.css';
import type { FormController } from './use-form-controller.ts';

/** The fields of a form with its errors above them. Buttons stand elsewhere and name `controller.formId`. */
export function FormView({ controller, intro }: { controller: FormController; intro?: string }) {
  const { model, formId, phase } = controller;
  const t = useT();
  const text = useText();
  const root = useRef<HTMLFormElement>(null);
  const { form } = model.module;
  const { first, sections } = layoutOf(form);
  // What is typed shows at once, in the field itself; what else depends on it may come a moment later.
  const fields = useDeferredValue(useSyncExternalStore(model.subscribe, () => model.visible().fields));
  const alerts = useDeferredValue(useSyncExternalStore(model.subscribe, () => model.visible().alerts));
  const shown = useMemo(() => ({ fields: new Set(fields), alerts: new Set(alerts) }), [fields, alerts]);
  const context = useMemo(() => ({ model, idPrefix: formId }), [model, formId]);
  const isWaiting = phase.state === 'waiting';

  useFocusAfterRefusal(root, controller);
  useKeptFocus(root, fields);

  const description = intro ?? text(form.description);
  return (
    <form
      ref={root}
      id={formId}
      className={styles.form}
      noValidate
      aria-busy={isWaiting}
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        void controller.submit();
      }}
    >
      {description ? <p className={styles.intro}>{description}</p> : null}
      <FormErrors controller={controller} />
      <FormContext value={context}>
        <ShownContext value={shown}>
          {first.length > 0 ? <FormItems items={first} /> : null}
          {sections.map(({ section, items }, index) => (
            <FormSection
              key={items.map((item) => (item.kind === 'alert' ? item.name : item.path)).join(' ')}
              section={section}
              items={items}
              isFirst={index === 0}
            />
          ))}
        </ShownContext>
      </FormContext>
      <FormPreview controller={controller} />
      {/* The submit button of the surface names this form; Enter in a field needs one inside as well. */}
      <button type="submit" hidden tabIndex={-1} aria-hidden="true">
        {t('form.submit')}
      </button>
      <span className="visually-hidden" role="status">
        {isWaiting ? t('form.sending') : ''}
      </span>
      <ShownFieldsNotice form={form} fields={fields} />
    </form>
  );
}

/** After a refusal: the surface scrolls to its top (docs/behaviour.md section 4), then the first wrong field gets the focus. */
function useFocusAfterRefusal(root: React.RefObject<HTMLFormElement | null>, { model, attempts }: FormController): void {
  useEffect(() => {
    if (attempts === 0) return;
    const form = root.current;
    form?.closest('[data-dialog-body]')?.scrollTo?.({ top: 0 });
    const [first] = model.wrongFields();
    if (first !== undefined) focusField(form, first);
    else form?.querySelector<HTMLElement>('[data-form-errors]')?.focus();
  }, [attempts, model, root]);
}

/** Puts the focus into a field and brings it into view. */
export function focusField(form: HTMLFormElement | null, name: string): void {
  const field = form && document.getElementById(`${form.id}-${name}`);
  field?.focus({ preventScroll: true });
  field?.scrollIntoView?.({ block: 'nearest' });
}

/** A field that goes while it has the focus must not drop the focus to the page: the field before it takes over. */
function useKeptFocus(root: React.RefObject<HTMLFormElement | null>, fields: readonly string[]): void {
  const before = useRef({ fields, focused: '' });
  useLayoutEffect(() => {
    const last = before.current;
    if (last.focused && !fields.includes(last.focused) && document.activeElement === document.body) {
      const index = last.fields.indexOf(last.focused);
      const next = last.fields.slice(0, index).findLast((name) => fields.includes(name)) ?? fields[0];
      if (next !== undefined) focusField(root.current, next);
    }
    before.current = { ...last, fields };
    function handleFocus(event: FocusEvent): void {
      const field = event.target instanceof Element ? event.target.closest('[data-field]') : null;
      before.current.focused = field?.getAttribute('data-field')?.slice((root.current?.id.length ?? 0) + 1) ?? '';
    }
    const form = root.current;
    form?.addEventListener('focusin', handleFocus);
    return () => form?.removeEventListener('focusin', handleFocus);
  }, [fields, root]);
}
