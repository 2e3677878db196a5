/** What a page is drawn from before the browser has the console's code. */
export interface PageToDraw {
  /** Path and query. */
  address: string;
  language: string;
  /** Readable preferences (`canopy_…`), as in a Cookie header. */
  cookies: string;
  /** The look of the host name, as JSON. */
  theme: string | undefined;
  /** Good answers of the API by address below `/api`: those of the user, the settings and the list. */
  answers: Readonly<Record<string, unknown>>;
}

/** A page as drawn: inert markup without scripts, and the colours of its theme. */
export interface Drawing {
  html: string;
  variables: Readonly<Record<string, string>>;
  /** The media query of screens on which the page looks otherwise, which only browsers know. */
  notFor: string;
}

/** What the drawing module exports; `undefined` when a page like this is not drawn ahead. */
export type DrawPage = (page: PageToDraw) => Promise<Drawing | undefined>;
