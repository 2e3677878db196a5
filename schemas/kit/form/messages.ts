import type { ErrorItem, JsonPrimitive } from './types.ts';

type Params = Record<string, JsonPrimitive>;

/** English text of every validation message, as the locale files have it: `{name}` for a parameter, `_one`/`_other` chosen by `count`. */
export const validationTexts: Readonly<Record<string, string>> = {
  'validation.required': 'Fill in this field.',
  'validation.length': 'Use {min} to {max} characters.',
  'validation.exactLength_one': 'Use exactly {count} character.',
  'validation.exactLength_other': 'Use exactly {count} characters.',
  'validation.minLength_one': 'Use at least {count} character.',
  'validation.minLength_other': 'Use at least {count} characters.',
  'validation.maxLength_one': 'Use at most {count} character.',
  'validation.maxLength_other': 'Use at most {count} characters.',
  'validation.range': 'Enter a number from {min} to {max}.',
  'validation.minimum': 'Enter {limit} or more.',
  'validation.maximum': 'Enter {limit} or less.',
  'validation.multipleOf': 'Use steps of {step}.',
  'validation.minItems_one': 'Choose at least {count}.',
  'validation.minItems_other': 'Choose at least {count}.',
  'validation.maxItems_one': 'Choose at most {count}.',
  'validation.maxItems_other': 'Choose at most {count}.',
  'validation.device.unsupported': '{name} cannot do this. Choose other devices.',
  'validation.uniqueItems': 'Each may appear only once.',
  'validation.enum': 'Choose one of the values offered.',
  'validation.pattern': 'This does not have the expected format.',
  'validation.patternExample': 'This does not have the expected format. An example: {example}',
  'validation.hidden': 'This field does not apply here. Leave it out.',
  'validation.unknown': 'Unknown field "{field}".',
  'validation.choice': 'The value matches none of the allowed options.',
  'validation.readOnly': 'This value cannot be changed here. Leave it out.',
  'validation.choice.several': 'The value fits more than one of the options. Exactly one is allowed.',
  'validation.minProperties_one': 'Change at least {count} field.',
  'validation.minProperties_other': 'Change at least {count} fields.',
  'validation.maxProperties_one': 'Use at most {count} entry.',
  'validation.maxProperties_other': 'Use at most {count} entries.',
  'validation.type.string': 'Enter a text.',
  'validation.type.integer': 'Enter a whole number.',
  'validation.type.number': 'Enter a number.',
  'validation.inexact': 'This number is too long to be kept with all its digits.',
  'validation.type.boolean': 'Choose yes or no.',
  'validation.type.array': 'A list is expected here.',
  'validation.type.object': 'A group of fields is expected here.',
  'validation.type.null': 'Leave this empty.',
  'validation.format.name': 'Do not use line breaks, leading or trailing spaces, or these characters: ` \\ / : * ? " < > | \'',
  'validation.format.line': 'Use a single line without leading or trailing spaces.',
  'validation.format.email': 'Enter an e-mail address, such as name@example.com.',
  'validation.format.ipv4': 'Enter an IPv4 address, such as 192.168.1.1.',
  'validation.format.hostname': 'Enter a host name, such as gateway.example.com.',
  'validation.format.color': 'Enter a colour as # and six digits, such as #0958d9.',
  'validation.format.mac': 'Enter a MAC address, such as 00:1E:42:AB:CD:EF.',
  'validation.format.timestamp': 'Enter a time as YYYY-MM-DD HH:mm:ss.',
  'validation.future': 'Choose a date in the future.',
  'validation.format.date': 'Enter a date as YYYY-MM-DD.',
  'validation.format.cidr': 'Enter a network, such as 10.0.0.0/24.',
  'validation.format.imei': 'Enter an IMEI: 15 digits.',
  'validation.format.phone': 'Enter a phone number of 5 to 15 digits, such as +4791234567.',
  'validation.format.file-name': 'File name contains forbidden symbols',
  'validation.tooDeep_one': 'This is nested too deeply: {count} level at most.',
  'validation.tooDeep_other': 'This is nested too deeply: {count} levels at most.',
  'validation.tooMuch': 'This is too much to check: send fewer entries, or nest them less deeply.',
  'validation.exclusiveMinimum': 'Enter more than {limit}.',
  'validation.exclusiveMaximum': 'Enter less than {limit}.',
  'validation.memberName': '"{field}" is not an allowed name.',
  'validation.format.date-time': 'Enter a date and time with its zone, such as 2026-11-21T03:15:00Z.',
  'validation.format.time': 'Enter a time with its zone, such as 03:15:00Z.',
  'validation.format.duration': 'Enter a duration, such as P1DT2H.',
  'validation.format.uri': 'Enter an address with its scheme, such as https://example.com.',
  'validation.format.uri-reference': 'Enter an address or a path, such as /docs.',
  'validation.format.ipv6': 'Enter an IPv6 address, such as 2001:db8::1.',
  'validation.format.uuid': 'Enter a UUID: 32 hex digits with hyphens.',
  'validation.format.json-pointer': 'Enter a JSON pointer, such as /a/0.',
  'validation.format.data-url': 'Choose a file.',
  'validation.ipv4.numbers_one': 'An IPv4 address has four numbers separated by dots; this has {count}.',
  'validation.ipv4.numbers_other': 'An IPv4 address has four numbers separated by dots; this has {count}.',
  'validation.ipv4.octet': 'Each number must be between 0 and 255; {part} is not.',
  'validation.ipv4.zeros': 'Write {part} without leading zeros.',
  'validation.cidr.missing': 'Add the prefix after the address, such as /24.',
  'validation.cidr.prefix': 'The prefix must be between 0 and 32.',
  'validation.imei.digits_one': 'An IMEI has 15 digits; this has {count}.',
  'validation.imei.digits_other': 'An IMEI has 15 digits; this has {count}.',
  'validation.period': 'Enter {min} seconds (a minute) to {max} seconds (a year).',
  'validation.duplicates': 'Each may appear only once. Repeated: {items}',
  'validation.mask.rest': '"{rest}" does not fit. Use the form {example}.',
  'validation.mask.incomplete': 'Incomplete. Use the form {example}.',
  'validation.timeRange.order': 'The end must be later than the start.',
  'validation.file.size': 'Maximum file size is {size}',
  'validation.file.type': 'Choose a file of this type: {accept}',
  'validation.file.text': 'Choose a text file in UTF-8.',
  'validation.file.gone': 'Choose the file again.',
  'validation.file.some': 'Remove the files that are marked.',
  'validation.json.at': 'Invalid JSON: line {line}, column {column}.',
  'validation.json.inexact':
    'Line {line}, column {column}: this number is too long to be kept with all its digits. Write it as a text, in quotes.',
};

const englishPlurals = new Intl.PluralRules('en');

/**
 * The text of a message in English, from its key and parameters. The console translates the same key with the same parameters;
 * programs and the log read this one. A key without a text is answered as itself.
 */
export function englishText(key: string, params: Params = {}, texts: Readonly<Record<string, string>> = validationTexts): string {
  const plural = typeof params.count === 'number' ? `${key}_${englishPlurals.select(params.count)}` : key;
  const template =
    (Object.hasOwn(texts, plural) ? texts[plural] : undefined) ?? (Object.hasOwn(texts, key) ? texts[key] : undefined) ?? key;
  return template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(params, name) ? String(params[name]) : whole));
}

/** The i18n key and parameters of an error item: `params.key` of a validation error, else `errors.<CODE>`. */
export function translationOf(item: ErrorItem): { key: string; params: Params } {
  const params = item.params ?? {};
  return { key: typeof params.key === 'string' ? params.key : `errors.${item.code}`, params };
}
