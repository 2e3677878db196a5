import { lazy, Suspense, type ComponentType } from 'react';
import { useTheme } from '../../kernel/theme/index.ts';
import { Brand, LanguageMenu } from '../../ui/index.ts';
import styles from './PublicApp.module.css';
import { withTexts } from '../../kernel/i18n/index.ts';

const SignInPage = lazy(
  withTexts(['account'], async () => ({ default: (await import('../../features/account/SignInPage.tsx')).SignInPage })),
);
// Signing in may ask for a second factor, in a window.
const DialogHost = lazy(async () => ({ default: (await import('../../engine/dialogs/index.ts')).DialogHost }));
const SetUpPage = lazy(
  withTexts(['account', 'set-up'], async () => ({ default: (await import('../../features/set-up/SetUpPage.tsx')).SetUpPage })),
);

const InvitationPage = lazy(
  withTexts(['account', 'set-up', 'users'], async () => ({
    default: (await import('../../features/users/InvitationPage.tsx')).InvitationPage,
  })),
);
const ForgottenPasswordPage = lazy(
  withTexts(['account', 'forms-account'], () => import('../../features/account/ForgottenPasswordPage.tsx')),
);
const NewPasswordPage = lazy(withTexts(['account', 'forms-account', 'set-up'], () => import('../../features/account/NewPasswordPage.tsx')));
const ExternalPage = lazy(withTexts(['account', 'dialogs'], () => import('../../features/account/ExternalPage.tsx')));
const ConfirmEmailPage = lazy(withTexts(['account'], () => import('../../features/account/ConfirmEmailPage.tsx')));

export type PublicPage = 'sign-in' | 'set-up' | 'invitation' | 'forgotten-password' | 'new-password' | 'confirm-email' | 'external';
const pages: Record<PublicPage, ComponentType> = {
  'sign-in': SignInPage,
  'set-up': SetUpPage,
  invitation: InvitationPage,
  'forgotten-password': ForgottenPasswordPage,
  'new-password': NewPasswordPage,
  'confirm-email': ConfirmEmailPage,
  external: ExternalPage,
};

/** The pages before anybody is signed in. */
export function PublicApp({ page }: { page: PublicPage }) {
  const Page = pages[page];
  const theme = useTheme();
  return (
    <div className={styles.page}>
      <main className={styles.main}>
        <Brand size="large" />
        <Suspense fallback={null}>
          <Page />
        </Suspense>
      </main>
      <Suspense fallback={null}>
        <DialogHost />
      </Suspense>
      <footer className={styles.footer}>
        {theme?.company_name ? <span>{theme.company_name}</span> : null}
        <LanguageMenu />
      </footer>
    </div>
  );
}
