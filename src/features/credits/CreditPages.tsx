import { PageLinks } from '../../engine/table/PageLinks.tsx';

const PAGES = ['credits', 'credit-holdings', 'device-credits', 'credit-codes', 'credit-history', 'data-history'];

/** The pages of the resources, side by side above each of their lists. */
export function CreditPages() {
  return <PageLinks pages={PAGES} words="credits" />;
}
