import { useCustomMutation, useList } from '@refinedev/core';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import type { ChangeSet } from '../../../schemas/_generated/contract.ts';
import { failureMessage, type ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Button, FieldFrame, Select, TextInput } from '../../ui/index.ts';
import styles from './configurator.module.css';
import type { ConfigureCall } from './values.ts';

const BASE = '/devices/configurator/change-sets';
const MOST_DRAFTS = 50;
const NEW = 0;

/** Puts an edit into a change set, a new one or a draft, instead of applying it at once. */
export function AddToChangeSet({
  calls,
  name: proposed,
  isPrimary,
  onAdded,
}: {
  calls: ConfigureCall[];
  name: string;
  isPrimary: boolean;
  onAdded?: (() => void) | undefined;
}) {
  const t = useT();
  const id = useId();
  const { query } = useList<ChangeSet, ApiError>({
    resource: 'change-sets',
    pagination: { pageSize: MOST_DRAFTS },
    meta: { query: { state: 'draft' } },
    errorNotification: false,
  });
  const [chosen, setChosen] = useState(NEW);
  const [name, setName] = useState(proposed);
  const [added, setAdded] = useState<number>();
  const { mutateAsync, mutation } = useCustomMutation<{ id: number }>();
  const add = async (): Promise<void> => {
    const isNew = chosen === NEW;
    try {
      const answer = await mutateAsync({
        url: isNew ? BASE : `${BASE}/${chosen}/edits`,
        method: 'post',
        values: { ...(isNew ? { name: name.trim() } : {}), configuration: calls },
        errorNotification: false,
      });
      setAdded(isNew ? answer.data.id : chosen);
      onAdded?.();
      toasts.success(t('configurator.set.added'));
    } catch (error) {
      toasts.error(failureMessage(error, { fallback: t('configurator.set.not_added') }));
    }
  };
  if (added !== undefined) return <Link to={`/change-sets/${added}`}>{t('configurator.set.open')}</Link>;
  const drafts = query.data?.data ?? [];
  return (
    <div className={styles.row}>
      <div className={styles.field}>
        <label htmlFor={`${id}-set`}>{t('configurator.set.which')}</label>
        <Select
          id={`${id}-set`}
          value={chosen}
          choices={[{ value: NEW, label: t('configurator.set.new') }, ...drafts.map((one) => ({ value: one.id, label: one.name }))]}
          onChange={setChosen}
        />
      </div>
      {chosen === NEW ? (
        <FieldFrame label={t('configurator.set.name')}>
          {(control) => <TextInput {...control} maxLength={100} value={name} onChange={(event) => setName(event.target.value)} />}
        </FieldFrame>
      ) : null}
      <Button
        icon="plus"
        variant={isPrimary ? 'primary' : 'default'}
        isBusy={mutation.isPending}
        disabled={chosen === NEW && name.trim() === ''}
        onClick={() => void add()}
      >
        {t('configurator.set.add')}
      </Button>
    </div>
  );
}
