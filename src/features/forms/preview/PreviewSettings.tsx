import { LANGUAGES, hasText, useT, type Language } from '../../../kernel/i18n/index.ts';
import type { FormFile } from '../../../../schemas/kit/types.ts';
import { FieldFrame } from '../../../ui/fields/FieldFrame.tsx';
import { NativeSelect } from '../../../ui/NativeSelect.tsx';
import { Segmented } from '../../../ui/Segmented.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { useRoles, type NamedDevice, type PreviewWishes } from './wishes.ts';
import styles from './preview.module.css';

interface PreviewSettingsProps {
  wishes: PreviewWishes;
  form: FormFile | undefined;
  devices: readonly NamedDevice[];
  device: number | undefined;
  onChange(wishes: PreviewWishes): void;
}

const isLanguage = (code: string): code is Language => LANGUAGES.some((language) => language.code === code);

/** The switches above the preview: for whom, in which look, and what the server is made to say. */
export function PreviewSettings({ wishes, form, devices, device, onChange }: PreviewSettingsProps) {
  const t = useT();
  const roles = useRoles();
  const change = (part: Partial<PreviewWishes>): void => onChange({ ...wishes, ...part });
  const fields = Object.keys(form?.schema.properties ?? {});
  return (
    <div className={styles.settings}>
      <Segmented
        label={t('studio.preview.width')}
        value={wishes.width}
        options={[
          { value: '390', label: '390' },
          { value: '768', label: '768' },
          { value: 'full', label: t('studio.preview.width_full') },
        ]}
        onChange={(width) => change({ width })}
      />
      <Segmented
        label={t('studio.preview.mode')}
        value={wishes.mode}
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
            <NativeSelect id={control.id} value={wishes.role} onChange={(event) => change({ role: Number(event.target.value) })}>
              <option value={0}>{t('studio.preview.role_own')}</option>
              {roles.map(({ id, name, title }) => (
                <option key={id} value={id}>
                  {hasText(`roles.${name}`) ? t(`roles.${name}`) : title}
                </option>
              ))}
            </NativeSelect>
          )}
        </FieldFrame>
        <FieldFrame label={t('studio.preview.language')}>
          {(control) => (
            <NativeSelect
              id={control.id}
              value={wishes.language}
              onChange={(event) => {
                if (isLanguage(event.target.value)) change({ language: event.target.value });
              }}
            >
              {LANGUAGES.map(({ code, name }) => (
                <option key={code} value={code} lang={code}>
                  {name}
                </option>
              ))}
            </NativeSelect>
          )}
        </FieldFrame>
        {devices.length > 0 ? (
          <FieldFrame label={t('studio.preview.device')}>
            {(control) => (
              <NativeSelect id={control.id} value={device} onChange={(event) => change({ device: Number(event.target.value) })}>
                {devices.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </NativeSelect>
            )}
          </FieldFrame>
        ) : null}
        <FieldFrame label={t('studio.preview.wrong')}>
          {(control) => (
            <NativeSelect id={control.id} value={wishes.wrongField} onChange={(event) => change({ wrongField: event.target.value })}>
              <option value="">{t('studio.preview.wrong_none')}</option>
              {fields.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </NativeSelect>
          )}
        </FieldFrame>
        {wishes.wrongField === '' ? null : (
          <FieldFrame label={t('studio.preview.wrong_message')}>
            {(control) => (
              <TextInput
                id={control.id}
                value={wishes.wrongMessage}
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
