import { useInvalidate } from '@refinedev/core';
import { openForm } from '../../engine/form/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import type { Theme } from '../../kernel/theme/index.ts';
import { Button, Card, IconButton } from '../../ui/index.ts';
import styles from './themes.module.css';

interface ModelPicturesProps {
  id: number;
  pictures: Theme['branded_devices'];
}

/** The pictures that device models have in this theme. They are saved by themselves, beside the form. */
export function ModelPictures({ id, pictures }: ModelPicturesProps) {
  const t = useT();
  const invalidate = useInvalidate();
  const change = async (form: string, initial: { original_model?: string }) => {
    const done = await openForm(form, { record: { id }, initial });
    if (done) await invalidate({ resource: 'themes', id, invalidates: ['detail'] });
  };
  return (
    <Card
      title={t('themes.models')}
      extra={
        <Button icon="plus" onClick={() => void change('themes/model-picture', {})}>
          {t('themes.models_add')}
        </Button>
      }
    >
      {pictures.length === 0 ? <p className={styles.note}>{t('themes.models_none')}</p> : null}
      <ul className={styles.models}>
        {pictures.map(({ original_model: model, branded_model_image: address }) => (
          <li key={model} className={styles.model}>
            <img className={styles.modelPicture} src={address} alt="" />
            <span className={styles.modelName}>{model}</span>
            <IconButton
              icon="trash-2"
              label={t('themes.models_remove', { model })}
              onClick={() => void change('themes/remove-model-picture', { original_model: model })}
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}
