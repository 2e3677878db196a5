import { StyleProvider } from '@ant-design/cssinjs';
import ConfigProvider from 'antd/es/config-provider';
import theme from 'antd/es/theme';
import { useSyncExternalStore, type ReactNode } from 'react';
import { popupContainer } from '../popup.tsx';
import { useAntdLocale } from './antd-locale.ts';
import { makeConsoleTheme } from './antd-theme.ts';
import 'virtual:antd.css';

const consoleTheme = makeConsoleTheme(theme);

const COARSE = '(pointer: coarse)';

/** antd as the console has it: theme, words, size, and popups inside the window that they belong to. Around every page. */
export function UiProvider({ children }: { children: ReactNode }) {
  const locale = useAntdLocale();
  // Fingers need more room; the same rule is in tokens.css.
  const isCoarse = useSyncExternalStore(
    followPointer,
    () => matchMedia(COARSE).matches,
    () => false,
  );
  return (
    // In a layer of their own antd's rules come below the console's, whatever their selectors.
    <StyleProvider layer>
      <ConfigProvider
        theme={consoleTheme}
        locale={locale}
        componentSize={isCoarse ? 'large' : 'middle'}
        getPopupContainer={popupContainer}
        button={{ autoInsertSpace: false }}
        wave={{ disabled: true }}
        virtual={false}
      >
        {children}
      </ConfigProvider>
    </StyleProvider>
  );
}

function followPointer(listener: () => void): () => void {
  const query = matchMedia(COARSE);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
