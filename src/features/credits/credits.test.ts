import { expect, test } from 'vitest';
import dataForm from '../../../schemas/forms/companies/data.form.json' with { type: 'json' };
import type { FormFile } from '../../../schemas/kit/form/types.ts';
import { confirmText } from '../../engine/form/confirm-words.ts';
import { changeLanguage, startI18n } from '../../kernel/i18n/index.ts';
import { room } from './index.ts';

test('before credits are spent for data the question names both numbers, in words of the language', async () => {
  room.register?.();
  await startI18n('en');
  const form = dataForm as FormFile;
  expect(confirmText(form, { credits: '0003' })).toBe('Are you sure you want to spend 3 credits to get 6 GB of data?');
  expect(confirmText(form, { credits: '1' })).toBe('Are you sure you want to spend 1 credit to get 2 GB of data?');
  await changeLanguage('uk');
  expect(confirmText(form, { credits: '21' })).toBe('Ви впевнені, що хочете витратити 21 кредит на 42 ГБ даних?');
});
