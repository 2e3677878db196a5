import type { FormDescription } from '../../../schemas/kit/form/describe-form.ts';

/** One argument for a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The call of a form as a line for a shell, with the token in `$CANOPY_TOKEN` and 1 for the record's number. */
export function curlOf({ method, path, body }: FormDescription['request'], origin: string): string {
  const lines = [
    `curl -X ${method} ${quote(`${origin}/api${path.replaceAll('{id}', '1')}`)}`,
    `-H "Authorization: Bearer $CANOPY_TOKEN"`,
    `-H 'Content-Type: application/json'`,
    `-d ${quote(JSON.stringify(body, null, 2))}`,
  ];
  return lines.join(' \\\n  ');
}
