import type { ReactNode } from 'react';

/**
 * Takes the place of `markdown-to-jsx` in the build (vite.config.ts): rjsf asks it to draw one sentence about a wrong `ui:order`, and it weighs as much
 * as all of rjsf's fields together.
 */
export function Markdown({ children }: { children?: ReactNode }): ReactNode {
  return children;
}
