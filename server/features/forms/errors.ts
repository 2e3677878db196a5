import type { ErrorItem } from '../../../schemas/kit/form/types.ts';
import { AppError, defineError, errorMessage } from '../../kernel/errors.ts';
import type { Finding } from './inspect.ts';

export const FormChanged = defineError<{ yours: string; theirs: string }>('FORM_CHANGED');
export const DeliveryTaken = defineError('DELIVERY_TAKEN');
export const WebhookNotSet = defineError<{ name: string }>('WEBHOOK_NOT_SET');

/** A form file that cannot be used: an item per finding, with its place in `params` and as `source` (`12:7`). */
export class InvalidForm extends AppError {
  constructor(findings: readonly Finding[]) {
    const items = findings.map((found): ErrorItem & { code: 'INVALID_FORM' } => ({
      code: 'INVALID_FORM',
      message: found.message,
      source: `${found.line}:${found.column}`,
      params: { line: found.line, column: found.column, finding: found.code },
    }));
    const [first = { code: 'INVALID_FORM' as const, message: errorMessage('INVALID_FORM') }, ...rest] = items;
    super([first, ...rest]);
  }
}
