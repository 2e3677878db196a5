import { defineError } from '../../kernel/errors.ts';

export const CsvTooLong = defineError<{ max: number }>('CSV_TOO_LONG');
export const CsvDeviceUnknown = defineError<{ line: number; device: string }>('CSV_DEVICE_UNKNOWN');
export const CsvNumberRounded = defineError<{ line: number; device: string }>('CSV_NUMBER_ROUNDED');
export const CsvDeviceTwice = defineError<{ line: number; device: string }>('CSV_DEVICE_TWICE');
export const CsvTagUnknown = defineError<{ line: number; tag: string }>('CSV_TAG_UNKNOWN');
export const CsvTagForeign = defineError<{ line: number; tag: string; device: string }>('CSV_TAG_FOREIGN');
export const CsvNoTag = defineError<{ line: number }>('CSV_NO_TAG');
export const DeviceJoinedAgain = defineError<{ serial: string }>('DEVICE_JOINED_AGAIN');
export const TagHasRule = defineError<{ tag: string }>('TAG_HAS_RULE');
