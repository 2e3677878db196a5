import { defineError } from '../../kernel/errors.ts';

export const FilesNotComparable = defineError<{ name: string }>('FILES_NOT_COMPARABLE');
