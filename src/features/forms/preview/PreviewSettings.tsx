import { hasText, useLanguages, useT } from '../../../kernel/i18n/index.ts';
import type { FormFile } from '../../../../schemas/kit/form/types.ts';
import { FieldFrame, Select, Segmented, TextInput } from '../../../ui/index.ts';
import { useRoles, type NamedDevice, type PreviewOptions } from './preview-settings.ts';
import styles from './preview.module.css';

interface PreviewSettingsProps {
  options: PreviewOptions;
  form: FormFile | undefined;
  devices: readonly NamedDevice[];
  device: number | undefined;
  onChange(options: PreviewOptions): void;
}

/** The switches above the preview: the user, the theme, and the server's simulated answer. */
export function PreviewSettings({ options, form, devices, device, onChange }: PreviewSettingsProps) {
  const t = useT();
  const roles = useRoles();
  const languages = useLanguages();
  const change = (part: Partial<PreviewOptions>): void => onChange({ ...options, ...part });
  const fields = Object.keys(form?.schema.properties ?? {});
  return (
    <div className={styles.settings}>
      <Segmented
        label={t('studio.preview.width')}
        value={options.width}
        options={[
          { value: '390', label: '390' },
          { value: '768', label: '768' },
          { value: 'full', label: t('studio.preview.width_full') },
        ]}
        onChange={(width) => change({ width })}
      />
      <Segmented
        label={t('studio.preview.mode')}
        value={options.mode}
        options={[
          { value: 'page', label: t('studio.preview.mode_page'), icon: 'monitor' },
          { value: 'light', label: t('studio.preview.mode_light'), icon: 'sun' },
          { value: 'dark', label: t('studio.preview.mode_dark'), icon: 'moon' },
        ]}
        onChange={(mode) => change({ mode })}
      />
      <div className={styles.choices}>
        <FieldFrame label={t('studio.preview.role')}>
          {(control) => (
            <Select
              id={control.id}
              value={options.role}
              choices={[
                { value: 0, label: t('studio.preview.role_own') },
                ...roles.map(({ id, name, title }) => ({ value: id, label: hasText(`roles.${name}`) ? t(`roles.${name}`) : title })),
              ]}
              onChange={(role) => change({ role })}
            />
          )}
        </FieldFrame>
        <FieldFrame label={t('studio.preview.language')}>
          {(control) => (
            <Select
              id={control.id}
              value={options.language}
              choices={languages.map(({ code, name }) => ({ value: code, label: name }))}
              onChange={(language) => change({ language })}
            />
          )}
        </FieldFrame>
        {devices.length > 0 ? (
          <FieldFrame label={t('studio.preview.device')}>
            {(control) => (
              <Select
                id={control.id}
                value={device}
                choices={devices.map(({ id, name }) => ({ value: id, label: name }))}
                onChange={(chosen) => change({ device: chosen })}
              />
            )}
          </FieldFrame>
        ) : null}
        <FieldFrame label={t('studio.preview.wrong')}>
          {(control) => (
            <Select
              id={control.id}
              value={options.wrongField}
              choices={[{ value: '', label: t('studio.preview.wrong_none') }, ...fields.map((name) => ({ value: name, label: name }))]}
              onChange={(wrongField) => change({ wrongField })}
            />
          )}
        </FieldFrame>
        {options.wrongField === '' ? null : (
          <FieldFrame label={t('studio.preview.wrong_message')}>
            {(control) => (
              <TextInput
                id={control.id}
                value={options.wrongMessage}
                maxLength={200}
                onChange={(event) => change({ wrongMessage: event.target.value })}
              />
            )}
          </FieldFrame>
        )}
      </div>
    </div>
  );
}
