import { defineError } from '../../kernel/errors.ts';

export const JsonFileBroken = defineError<{ file: string; line: number; column: number }>('JSON_FILE_BROKEN');
export const FileKind = defineError<{ kinds: string }>('FILE_KIND');
export const ApiDescriptionExists = defineError('API_DESCRIPTION_EXISTS');
/** `reason` and `at` are English: what people who write such files read. */
export const ApiDescriptionUnfit = defineError<{ at: string; reason: string }>('API_DESCRIPTION_UNFIT');
export const NoConfiguration = defineError<{ device: string }>('NO_CONFIGURATION');
export const ConfigurationNotRead = defineError<{ device: string }>('CONFIGURATION_NOT_READ');
export const ConfigurationUnchanged = defineError('CONFIGURATION_UNCHANGED');
export const VariableCircle = defineError<{ names: string }>('VARIABLE_CIRCLE');
export const TemplateCircle = defineError<{ names: string }>('TEMPLATE_CIRCLE');
export const TemplateInUse = defineError<{ names: string }>('TEMPLATE_IN_USE');
export const TemplateChanged = defineError<{ user: string }>('TEMPLATE_CHANGED');
export const ChangeSetState = defineError('CHANGE_SET_STATE');
export const ReviewNeeded = defineError('REVIEW_NEEDED');
export const ReviewerIsAuthor = defineError('REVIEWER_IS_AUTHOR');
