import { useEffect, useRef } from 'react';
import { useLocation, useNavigate, useNavigationType } from 'react-router';
import type { DialogsSnapshot } from './dialogs.ts';

/*
 * A window with an address: while it is open, the page's query carries `?<parameter>=<value>`, so that a reload or a copied link opens it
 * again. The window's id is `<parameter>-<value>`.
 */
type Open = (value: string) => void | Promise<void>;
const links = new Map<string, Open>();

/** Lets a query parameter open a window. `open` must open it under the id `<parameter>-<value>`. */
export function registerDialogLink(parameter: string, open: Open): void {
  links.set(parameter, open);
}

/** The parameter and value of a window's id, if it has an address. */
function linkOf(id: string | undefined): { parameter: string; value: string } | undefined {
  const cut = id?.indexOf('-') ?? -1;
  if (id === undefined || cut < 0) return undefined;
  const parameter = id.slice(0, cut);
  return links.has(parameter) ? { parameter, value: id.slice(cut + 1) } : undefined;
}

/** Opens what the address names when the page starts or the user goes back and forward, and writes what is open into the address. */
export function useDialogLinks({ stack }: DialogsSnapshot): void {
  const { search, pathname } = useLocation();
  const navigate = useNavigate();
  const navigation = useNavigationType();
  const seen = useRef<{ search: string; pathname: string }>(undefined);

  const open = linkOf(stack.windows.findLast((window) => linkOf(window.id))?.id);
  const wanted = open ? `${open.parameter}=${open.value}` : '';

  useEffect(() => {
    const before = seen.current;
    if (before?.search === search) return;
    seen.current = { search, pathname };
    // What was written below can arrive when its window is closed already; only where somebody went opens windows.
    if (navigation === 'REPLACE' && before?.pathname === pathname) return;
    const params = new URLSearchParams(search);
    for (const [parameter, openLink] of links) {
      const value = params.get(parameter);
      if (value !== null && !stack.windows.some((window) => window.id === `${parameter}-${value}`)) void openLink(value);
    }
  }, [search, pathname, navigation, stack]);

  const written = useRef('');
  useEffect(() => {
    const params = new URLSearchParams(search);
    const isInAddress = open ? params.get(open.parameter) === open.value : written.current === '';
    written.current = wanted;
    if (isInAddress) return;
    for (const parameter of links.keys()) params.delete(parameter);
    if (open) params.set(open.parameter, open.value);
    void navigate({ pathname, search: params.toString() }, { replace: true, preventScrollReset: true });
  }, [wanted, open, search, pathname, navigate]);
}
