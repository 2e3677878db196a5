import { use, useId, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { pathsIn } from '../../../../../schemas/kit/form/form-layout.ts';
import { useText } from '../../../../kernel/i18n/index.ts';
import { Icon, PressArea } from '../../../../ui/index.ts';
import { isWithin } from '../../paths.ts';
import { hasShown, ShownContext } from '../../shown-context.ts';
import styles from '../theme.module.css';
import type { LayoutItem } from '../../../../../schemas/kit/form/form-layout.ts';
import type { FormSection as Section } from '../../../../../schemas/kit/form/types.ts';
import type { FormModel } from '../../model-types.ts';

interface FormSectionProps {
  model: FormModel;
  section: Section;
  items: readonly LayoutItem[];
  children: ReactNode;
}

/**
 * A heading with fields below it. One that says `collapsed` can be folded; it opens by itself while a field in it is wrong, and when the browser's
 * search finds something in it.
 */
export function FormSection({ model, section, items, children }: FormSectionProps) {
  const shown = use(ShownContext);
  const text = useText();
  const id = useId();
  const body = useRef<HTMLDivElement>(null);
  const paths = useMemo(() => pathsIn(items), [items]);
  const isWrong = useSyncExternalStore(model.subscribe, () => model.wrongNodes().some((key) => paths.some((path) => isWithin(key, path))));
  const [isUnfolded, setUnfolded] = useState(section.collapsed !== true);
  const isOpen = isUnfolded || isWrong;
  // What opened because of a fault stays open while it is being corrected.
  if (isOpen && !isUnfolded) setUnfolded(true);
  useFolded(body, !isOpen, setUnfolded);

  if (!hasShown(items, shown)) return null;
  const title = text(section.title);
  const description = text(section.description);
  return (
    <section className={styles.section} aria-labelledby={id}>
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
      <div ref={body}>
        {description ? <p className={styles.note}>{description}</p> : null}
        {children}
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
