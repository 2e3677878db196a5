import { lazy, Suspense } from 'react';
import { LanguageMenu } from '../../ui/LanguageMenu.tsx';
import { Brand } from '../../ui/Brand.tsx';
import styles from './PublicApp.module.css';

const SignInPage = lazy(async () => ({ default: (await import('../../features/account/SignInPage.tsx')).SignInPage }));
// Signing in may ask for a second factor, in a window.
const DialogHost = lazy(async () => ({ default: (await import('../../engine/dialogs/index.ts')).DialogHost }));
const SetUpPage = lazy(async () => ({ default: (await import('../../features/set-up/SetUpPage.tsx')).SetUpPage }));

/** The pages before anybody is signed in. */
export function PublicApp({ page }: { page: 'sign-in' | 'set-up' }) {
  return (
    <div className={styles.page}>
      <main className={styles.main}>
        <Brand size="large" />
        <Suspense fallback={null}>{page === 'set-up' ? <SetUpPage /> : <SignInPage />}</Suspense>
      </main>
      <Suspense fallback={null}>
        <DialogHost />
      </Suspense>
      <footer className={styles.footer}>
        <LanguageMenu />
      </footer>
    </div>
  );
}
