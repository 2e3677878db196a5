import { useCustom } from '@refinedev/core';
import { useEffect, useId, useRef, useState } from 'react';
import type { ConfigurationTemplate } from '../../../schemas/_generated/contract.ts';
import type { ConfigDocument, ConfigSection } from '../../../schemas/kit/devices/configuration.ts';
import type { TemplateCall } from '../../../schemas/kit/devices/configuration-template.ts';
import { dataProvider } from '../../engine/data/data-provider.ts';
import { useEntriesGuard } from '../../engine/form/use-unsaved-guard.ts';
import { ApiError, failureMessage, isCancelled } from '../../kernel/http/index.ts';
import { useT, useText } from '../../kernel/i18n/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Banner, Button, Card, IconButton, Select, Skeleton, SmallTable, TextInput } from '../../ui/index.ts';
import styles from './configurator.module.css';
import {
  callsOfEdits,
  editedCalls,
  isEdited,
  placeOf,
  valueFaults,
  type EditedCall,
  type EditedSection,
  type KeptCall,
  type ValueFault,
} from './template-edits.ts';

interface ContentProps {
  template: ConfigurationTemplate;
  onSaved: () => void;
}

/** The settings of a template, section by section. */
export function TemplateContent({ template, onSaved }: ContentProps) {
  const { query } = useCustom<ConfigDocument, ApiError>({
    url: `/devices/configurator/documents/${template.system}`,
    method: 'get',
    errorNotification: false,
  });
  const document = query.data?.data;
  return document ? <Editor template={template} document={document} onSaved={onSaved} /> : <Skeleton height={260} />;
}

function Editor({ template, document, onSaved }: ContentProps & { document: ConfigDocument }) {
  const t = useT();
  const [begun] = useState(() => editedCalls(document, JSON.parse(template.template) as TemplateCall[]));
  const [sections, setSections] = useState(begun);
  const [version, setVersion] = useState(template.version);
  useEntriesGuard(() => version !== template.version || JSON.stringify(callsOfEdits(sections)) !== JSON.stringify(callsOfEdits(begun)));
  const [fault, setFault] = useState<string>();
  const [faults, setFaults] = useState<readonly ValueFault[]>([]);
  const replace = (index: number, next: EditedCall | undefined): void => {
    setSections(sections.flatMap((one, at) => (at === index ? (next ?? []) : one)));
    setFaults(next ? faults.filter((one) => one.index !== index || !isEdited(sections[index], next, one.option)) : []);
  };
  const page = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (faults.length > 0) page.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [faults]);
  const save = async (): Promise<void> => {
    setFault(undefined);
    setFaults([]);
    try {
      await dataProvider.custom({
        url: `/devices/configurator/templates/${template.id}/content`,
        method: 'put',
        payload: { revision: template.revision, version, template: callsOfEdits(sections) },
      });
      toasts.success(t('configurator.template_saved'));
      onSaved();
    } catch (failure) {
      if (isCancelled(failure)) return;
      const found = failure instanceof ApiError ? valueFaults(failure.items) : [];
      if (found.length > 0) setFaults(found);
      else setFault(failureMessage(failure, { fallback: t('configurator.save_failed') }));
    }
  };
  return (
    <div className={styles.page} ref={page}>
      <p className={styles.lead}>{t('configurator.template_lead')}</p>
      {sections.length === 0 ? <Banner kind="info">{t('configurator.template_empty')}</Banner> : null}
      {sections.map((edited, index) => (
        <CallCard
          // oxlint-disable-next-line react/no-array-index-key -- Sections have no name of their own: two may be about the same one.
          key={index}
          edited={edited}
          faults={faults.filter((one) => one.index === index)}
          onChange={(next) => replace(index, next)}
        />
      ))}
      <NewSection document={document} onAdd={(section, item) => setSections([...sections, newSection(section, item)])} />
      {fault === undefined ? null : <Banner kind="bad">{fault}</Banner>}
      <Card>
        <div className={styles.row}>
          <label className={styles.field}>
            <span>{t('fields.version')}</span>
            <TextInput value={version} maxLength={40} onChange={({ currentTarget }) => setVersion(currentTarget.value)} />
          </label>
          <Button variant="primary" disabled={version.trim() === ''} onClick={() => void save()}>
            {t('configurator.save_version')}
          </Button>
        </div>
      </Card>
    </div>
  );
}

const newSection = (section: ConfigSection, item: string): EditedSection => {
  const [, option, value] = /^([A-Za-z0-9_-]+)=(.+)$/.exec(item) ?? [];
  const search = option !== undefined && value !== undefined ? { option, value } : undefined;
  return { section, item: search ? '' : (section.name ?? item), search, options: [] };
};

interface CallCardProps<E extends EditedCall> {
  edited: E;
  faults: readonly ValueFault[];
  onChange: (next: E | undefined) => void;
}

function CallCard({ edited, ...props }: CallCardProps<EditedCall>) {
  return 'kept' in edited ? (
    <KeptCard call={edited} onRemove={() => props.onChange(undefined)} />
  ) : (
    <SectionCard edited={edited} {...props} />
  );
}

/** A call that is not edited here: what it does, and what becomes of it. */
function KeptCard({ call: { kept, isKnown }, onRemove }: { call: KeptCall; onRemove: () => void }) {
  const t = useT();
  const place = placeOf(kept);
  return (
    <Card
      title={kept.method === 'delete' ? t('configurator.removes', { place }) : place}
      extra={<IconButton icon="trash-2" label={t('configurator.remove_section')} onClick={onRemove} />}
    >
      <Banner kind={isKnown ? 'info' : 'warn'}>{t(isKnown ? 'configurator.kept' : 'configurator.kept_unknown')}</Banner>
    </Card>
  );
}

function SectionCard({ edited, faults, onChange }: CallCardProps<EditedSection>) {
  const id = useId();
  const t = useT();
  const text = useText();
  const { section, item, search, options } = edited;
  const labelOf = (name: string): string => text(section.labels[name]) || name;
  const free = Object.keys(section.schema.properties).filter((name) => !options.some((one) => one.name === name));
  const place = search ? t('configurator.where', { option: labelOf(search.option), value: search.value }) : item;
  return (
    <Card
      title={`${text(section.title)}: ${place}`}
      extra={<IconButton icon="trash-2" label={t('configurator.remove_section')} onClick={() => onChange(undefined)} />}
    >
      <SmallTable
        label={`${text(section.title)} ${place}`}
        className={styles.settings}
        rows={options}
        keyOf={({ name }) => name}
        hasRowNames
        columns={[
          { key: 'option', title: t('configurator.option'), render: ({ name }) => labelOf(name) },
          {
            key: 'value',
            title: t('fields.value'),
            render: ({ name, text: value }) => {
              const said = faults.find(({ option }) => option === name)?.message;
              return (
                <>
                  <TextInput
                    aria-label={labelOf(name)}
                    aria-invalid={said !== undefined}
                    aria-describedby={said === undefined ? undefined : `${id}-${name}`}
                    value={value}
                    placeholder={section.secrets.includes(name) ? t('configurator.secret_variable') : ''}
                    onChange={({ currentTarget }) =>
                      onChange({
                        ...edited,
                        options: options.map((one) => (one.name === name ? { name, text: currentTarget.value } : one)),
                      })
                    }
                  />
                  {said === undefined ? null : (
                    <p id={`${id}-${name}`} role="alert" className={styles.fault}>
                      {said}
                    </p>
                  )}
                </>
              );
            },
          },
          {
            key: 'remove',
            title: t('common.remove'),
            hidesTitle: true,
            render: ({ name }) => (
              <IconButton
                icon="x"
                label={t('configurator.remove_option', { option: labelOf(name) })}
                onClick={() => onChange({ ...edited, options: options.filter((one) => one.name !== name) })}
              />
            ),
          },
        ]}
      />
      {free.length > 0 ? (
        <div className={styles.row}>
          <Select
            aria-label={t('configurator.add_option')}
            value=""
            choices={[{ value: '', label: t('configurator.add_option') }, ...free.map((name) => ({ value: name, label: labelOf(name) }))]}
            onChange={(name) => (name === '' ? undefined : onChange({ ...edited, options: [...options, { name, text: '' }] }))}
          />
        </div>
      ) : null}
    </Card>
  );
}

function NewSection({ document, onAdd }: { document: ConfigDocument; onAdd: (section: ConfigSection, item: string) => void }) {
  const t = useT();
  const text = useText();
  const [id, setId] = useState(document.sections[0]?.id ?? '');
  const [item, setItem] = useState('');
  const section = document.sections.find((one) => one.id === id);
  const isNamed = section?.name !== undefined || /^(?:[A-Za-z0-9_-]{1,64}|[A-Za-z0-9_-]+=.+)$/.test(item);
  return (
    <Card title={t('configurator.add_section')}>
      <div className={styles.row}>
        <Select
          aria-label={t('configurator.section')}
          value={id}
          choices={document.sections.map((one) => ({ value: one.id, label: text(one.title) }))}
          onChange={setId}
        />
        {section?.name === undefined ? (
          <label className={styles.field}>
            <span>{t('configurator.item')}</span>
            <TextInput
              value={item}
              maxLength={120}
              placeholder={t('configurator.item_hint')}
              onChange={({ currentTarget }) => setItem(currentTarget.value)}
            />
          </label>
        ) : null}
        <Button
          icon="plus"
          disabled={!section || !isNamed}
          onClick={() => {
            if (section) onAdd(section, item.trim());
            setItem('');
          }}
        >
          {t('configurator.add_section')}
        </Button>
      </div>
    </Card>
  );
}
