import { defineError } from '../../kernel/errors.ts';

export const HostNameTaken = defineError('HOST_NAME_TAKEN');
export const NotTopLevel = defineError('NOT_TOP_LEVEL');
export const PictureRefused = defineError<{ kinds: string }>('PICTURE_REFUSED');
export const TooManyPictures = defineError<{ max: number }>('TOO_MANY_PICTURES');
