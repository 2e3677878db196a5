/** Files of texts that every page needs, also before anybody is signed in. */
export const PUBLIC_TEXTS = ['common', 'ui'] as const;

/** Files of texts that every page of a signed-in console needs beside those. Either come as one file per language; all others come with what they are for. */
export const CONSOLE_TEXTS = ['shell', 'entities', 'lists', 'table', 'credit-types'] as const;
