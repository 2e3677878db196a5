import type { Translate } from '../../kernel/i18n/index.ts';
import type { FormPlaces } from '../../../schemas/kit/form/types.ts';

/** Where a form shows up by itself, in words. */
export function placeText({ menu, devices = [], company }: FormPlaces, t: Translate, language: string): string {
  const places = [
    ...(menu ? [t('form_docs.places.menu', { group: t(`menu.groups.${menu}`) })] : []),
    ...devices.map((where) => t(`form_docs.places.${where}`)),
    ...(company ? [t('form_docs.places.company')] : []),
  ];
  return new Intl.ListFormat(language).format(places);
}
