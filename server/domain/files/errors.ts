import { defineError } from '../../kernel/errors.ts';

export const FileQuotaExceeded = defineError<{ quota: string; left: string }>('FILE_QUOTA_EXCEEDED');
export const FileContentMissing = defineError('FILE_CONTENT_MISSING');
export const FileKind = defineError<{ kinds: string }>('FILE_KIND');
