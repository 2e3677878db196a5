import { defineError } from '../../kernel/errors.ts';

export const JsonFileBroken = defineError<{ file: string; line: number; column: number }>('JSON_FILE_BROKEN');
export const FileKind = defineError<{ kinds: string }>('FILE_KIND');
export const ApiDescriptionExists = defineError('API_DESCRIPTION_EXISTS');
