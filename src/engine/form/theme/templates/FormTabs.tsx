import { use, useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { pathsIn } from '../../../../../schemas/kit/form/form-layout.ts';
import { useT, useText } from '../../../../kernel/i18n/index.ts';
import { Icon, Tabs } from '../../../../ui/index.ts';
import { REVEAL } from '../../focus-node.ts';
import { isWithin } from '../../paths.ts';
import { hasShown, ShownContext } from '../../shown-context.ts';
import styles from '../theme.module.css';
import type { FormLayout, LayoutItem } from '../../../../../schemas/kit/form/form-layout.ts';
import type { FormModel } from '../../model-types.ts';

interface FormTabsProps {
  model: FormModel;
  sections: FormLayout['sections'];
  draw: (items: readonly LayoutItem[]) => ReactNode;
}

/** The sections of a form one at a time. A tab with something wrong in it is marked, and opens when that is to have the focus. */
export default function FormTabs({ model, sections, draw }: FormTabsProps) {
  const shown = use(ShownContext);
  const t = useT();
  const text = useText();
  const box = useRef<HTMLDivElement>(null);
  const wrong = useSyncExternalStore(model.subscribe, () => model.wrongNodes().join('\n')).split('\n');
  const tabs = sections
    .map(({ section, items }, index) => ({ key: String(index), section, items }))
    .filter(({ items }) => hasShown(items, shown));
  const [chosen, setChosen] = useState('0');
  const active = tabs.some(({ key }) => key === chosen) ? chosen : tabs[0]?.key;
  useRevealed(box, setChosen);
  return (
    <div ref={box}>
      <Tabs
        active={active}
        onChange={setChosen}
        tabs={tabs.map(({ key, section, items }) => {
          const title = text(section.title);
          const description = text(section.description);
          const isWrong = pathsIn(items).some((path) => wrong.some((node) => isWithin(node, path)));
          return {
            key,
            title: isWrong ? (
              <span className={styles.wrongTab}>
                <Icon name="circle-alert" size={14} />
                {title}
                <span className="visually-hidden">{t('form.tabs.wrong')}</span>
              </span>
            ) : (
              title
            ),
            content: (
              <div data-tab={key}>
                {description ? <p className={styles.note}>{description}</p> : null}
                {draw(items)}
              </div>
            ),
          };
        })}
      />
    </div>
  );
}

/** Opens the tab with a control that is to have the focus, which hidden ones do not take. */
function useRevealed(box: React.RefObject<HTMLDivElement | null>, open: (key: string) => void): void {
  useEffect(() => {
    const element = box.current;
    const reveal = ({ target }: Event): void => {
      const key = target instanceof HTMLElement ? target.closest('[data-tab]')?.getAttribute('data-tab') : undefined;
      if (!key || !(target instanceof HTMLElement)) return;
      open(key);
      // The tab is shown in a moment.
      requestAnimationFrame(() => {
        target.focus({ preventScroll: true });
        target.scrollIntoView?.({ block: 'nearest' });
      });
    };
    element?.addEventListener(REVEAL, reveal);
    return () => element?.removeEventListener(REVEAL, reveal);
  }, [box, open]);
}
