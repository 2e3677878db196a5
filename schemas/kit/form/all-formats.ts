import { fullFormats } from 'ajv-formats/dist/formats.js';
import { formats } from './formats.ts';

function standard(name: keyof typeof fullFormats): RegExp {
  const format = fullFormats[name];
  if (format instanceof RegExp) return format;
  throw new Error(`The format ${name} is no regular expression any more.`);
}

// 00 to 23 hours, then 00 to 59 minutes and seconds; a leap second only where UTC has them.
const TIME = '(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?|23:59:60(?:\\.\\d+)?(?=z|[+-]00:?00))';
const ZONE = '(?:z|[+-](?:[01]\\d|2[0-3])(?::?[0-5]\\d)?)';
const DAY = formats.date.source.replace(/^\^|\$$/g, '');
/** A scheme and something behind it, then as a reference. */
const WITH_SCHEME = '^(?=[a-z][a-z0-9+.-]*:[^?#])';

/**
 * Every format that a schema may name: ours, and those of ajv-formats. Theirs for times and addresses are functions, which compiled validators
 * could not carry without imports, so those are regular expressions that judge the same (leap seconds at other offsets than UTC aside).
 */
export const allFormats: Readonly<Record<string, RegExp | true>> = {
  ipv6: standard('ipv6'),
  uuid: standard('uuid'),
  'uri-reference': standard('uri-reference'),
  duration: standard('duration'),
  'json-pointer': standard('json-pointer'),
  time: new RegExp(`^${TIME}${ZONE}$`, 'i'),
  'date-time': new RegExp(`^${DAY}[t ]${TIME}${ZONE}$`, 'i'),
  uri: new RegExp(WITH_SCHEME + standard('uri-reference').source.replace(/^\^/, ''), 'i'),
  // As the file fields of rjsf write them: `data:text/plain;name=a.txt;base64,QQ==`.
  'data-url': /^data:(?:[a-z]+\/[a-z0-9.+-]+)?;(?:name=[^;]*;)?base64,[A-Za-z0-9+/]*={0,2}$/,
  // Only says how it is drawn.
  password: true,
  ...formats,
};
