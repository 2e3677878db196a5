/** Where the bytes of an image of dashboards are, or those of its thumbnail. */
export const imageUrl = (id: number, part: '' | '/thumbnail' = ''): string => `/api/images/${id}${part}`;
