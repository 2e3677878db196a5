import {
  startTransition,
  use,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react';
import { flushSync } from 'react-dom';
import { fieldsOf } from '../../../../../schemas/kit/form/form-fields.ts';
import { pathsIn } from '../../../../../schemas/kit/form/form-layout.ts';
import { useText } from '../../../../kernel/i18n/index.ts';
import { Icon, PressArea } from '../../../../ui/index.ts';
import { isWithin } from '../../paths.ts';
import { hasShown, ShownContext } from '../../shown-context.ts';
import { runWhenIdle } from '../../run-when-idle.ts';
import styles from '../theme.module.css';
import type { LayoutItem } from '../../../../../schemas/kit/form/form-layout.ts';
import type { FormFile, FormSection as Section } from '../../../../../schemas/kit/form/types.ts';
import type { FormModel } from '../../model.ts';

/** Height of a field with its gap and of a hint, in pixels. */
const FIELD_HEIGHT = 67;
const HINT_HEIGHT = 23;

/** About how high these fields will be once they are drawn, in pixels: what is kept free for them until then. */
function reservedHeight(form: FormFile, paths: readonly string[]): number {
  return paths.reduce((height, path) => {
    const ui = fieldsOf(form).get(path)?.ui ?? {};
    return height + (FIELD_HEIGHT + (ui['ui:hint'] === undefined ? 0 : HINT_HEIGHT)) / (ui['ui:width'] === 'half' ? 2 : 1);
  }, 0);
}

interface FormSectionProps {
  model: FormModel;
  section: Section;
  items: readonly LayoutItem[];
  isFirst: boolean;
  children: () => ReactNode;
}

/**
 * A heading with fields below it. One that says `collapsed` can be folded; it opens by itself while a field in it is wrong, and when the browser's
 * search finds something in it. The fields of a section far down are drawn a moment later than the first ones, see `useIsDrawn`.
 */
export function FormSection({ model, section, items, isFirst, children }: FormSectionProps) {
  const shown = use(ShownContext);
  const text = useText();
  const id = useId();
  const body = useRef<HTMLDivElement>(null);
  const paths = useMemo(() => pathsIn(items), [items]);
  const isWrong = useSyncExternalStore(model.subscribe, () => model.wrongNodes().some((key) => paths.some((path) => isWithin(key, path))));
  const [isUnfolded, setUnfolded] = useState(section.collapsed !== true);
  const isOpen = isUnfolded || isWrong;
  // What opened because of a fault stays open while it is being mended.
  if (isOpen && !isUnfolded) setUnfolded(true);
  const isDrawn = useIsDrawn(body, isFirst) || isWrong;
  useFolded(body, !isOpen, setUnfolded);

  const { form } = model.module;
  const reserved = useMemo(
    () =>
      reservedHeight(
        form,
        paths.filter((path) => shown.fields.has(path)),
      ),
    [form, paths, shown],
  );

  if (!hasShown(items, shown)) return null;
  const title = text(section.title);
  const description = text(section.description);
  return (
    <section className={styles.section} style={{ containIntrinsicBlockSize: `auto ${reserved}px` }} aria-labelledby={id}>
      <h3 id={id} className={styles.heading}>
        {section.collapsed === undefined ? (
          title
        ) : (
          <PressArea className={styles.fold} aria-expanded={isOpen} aria-disabled={isWrong} onClick={() => setUnfolded(isWrong || !isOpen)}>
            <Icon name="chevron-down" className={styles.chevron} />
            {title}
          </PressArea>
        )}
      </h3>
      <div ref={body} style={{ minHeight: isDrawn ? undefined : reserved }}>
        {description ? <p className={styles.note}>{description}</p> : null}
        {isDrawn ? children() : null}
      </div>
    </section>
  );
}

/** Hides what is folded so that the browser's search still finds it; a find unfolds. */
function useFolded(body: React.RefObject<HTMLDivElement | null>, isFolded: boolean, setUnfolded: (isUnfolded: boolean) => void): void {
  useLayoutEffect(() => {
    const element = body.current;
    if (!element || !isFolded) return;
    element.setAttribute('hidden', 'until-found');
    const unfold = (): void => setUnfolded(true);
    element.addEventListener('beforematch', unfold);
    return () => {
      element.removeAttribute('hidden');
      element.removeEventListener('beforematch', unfold);
    };
  });
}

/**
 * Whether a section's fields are in the page: those of the first section at once, others when they come near the view, before printing, and at the
 * latest when the browser has time, so that searching the page and the Tab key find them.
 */
function useIsDrawn(body: React.RefObject<HTMLDivElement | null>, isFirst: boolean): boolean {
  const [isDrawn, setDrawn] = useState(isFirst || !('IntersectionObserver' in globalThis));
  useEffect(() => {
    const element = body.current;
    if (isDrawn || !element) return;
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && setDrawn(true), {
      rootMargin: '600px 0px',
    });
    observer.observe(element);
    let isGone = false;
    runWhenIdle(() => {
      if (!isGone) startTransition(() => setDrawn(true));
    });
    const drawNow = (): void => flushSync(() => setDrawn(true));
    window.addEventListener('beforeprint', drawNow);
    return () => {
      isGone = true;
      observer.disconnect();
      window.removeEventListener('beforeprint', drawNow);
    };
  });
  return isDrawn;
}
