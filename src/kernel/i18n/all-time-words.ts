const locales = import.meta.glob('../../../node_modules/dayjs/locale/*.js');

/** Lets dayjs know a language; answers whether it has words for it. */
export async function loadTimeWords(tag: string): Promise<boolean> {
  const load = locales[`../../../node_modules/dayjs/locale/${tag}.js`];
  await load?.();
  return load !== undefined;
}
