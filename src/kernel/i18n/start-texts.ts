/** Files of texts that every page of a signed-in console needs; they come as one file per language with the start. All others come with what they are for. */
export const START_TEXTS = ['common', 'ui', 'shell', 'lists', 'table', 'credit-types'] as const;
