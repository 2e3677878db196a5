import { defineError } from '../../kernel/errors.ts';

export const PasswordsForgotten = defineError('PASSWORDS_FORGOTTEN');
export const PasswordsNotReady = defineError<{ open: number }>('PASSWORDS_NOT_READY');
export const PasswordsDownloaded = defineError<{ at: string }>('PASSWORDS_DOWNLOADED');
export const PasswordsExpired = defineError<{ days: number }>('PASSWORDS_EXPIRED');
export const CsvNoPassword = defineError<{ line: number }>('CSV_NO_PASSWORD');
export const CsvTooLong = defineError<{ max: number }>('CSV_TOO_LONG');
export const CsvDeviceUnknown = defineError<{ line: number; device: string }>('CSV_DEVICE_UNKNOWN');
export const CsvNumberRounded = defineError<{ line: number; device: string }>('CSV_NUMBER_ROUNDED');
export const CsvDeviceTwice = defineError<{ line: number; device: string }>('CSV_DEVICE_TWICE');
export const CsvDeviceAgain = defineError<{ line: number; device: string }>('CSV_DEVICE_AGAIN');
export const CsvPasswordUnfit = defineError<{ line: number; device: string }>('CSV_PASSWORD_UNFIT');
