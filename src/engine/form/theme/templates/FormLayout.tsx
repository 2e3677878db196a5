import { Fragment, lazy, Suspense, use, type ReactNode } from 'react';
import { toFieldPathId, type ObjectFieldTemplatePropertyType, type Registry } from '@rjsf/utils';
import { fieldsOf } from '../../../../../schemas/kit/form/form-fields.ts';
import { layoutOf } from '../../../../../schemas/kit/form/form-layout.ts';
import { useText } from '../../../../kernel/i18n/index.ts';
import { Banner, type BannerKind } from '../../../../ui/index.ts';
import { ShownContext } from '../../shown-context.ts';
import { contextOf } from '../form-registry-context.ts';
import { StoreSchemaField } from '../StoreSchemaField.tsx';
import { contentKey } from './content-key.ts';
import { FormSection } from './FormSection.tsx';
import styles from '../theme.module.css';
import type { LayoutItem } from '../../../../../schemas/kit/form/form-layout.ts';
import type { FormAlert as Alert, FormFile } from '../../../../../schemas/kit/form/types.ts';

const BANNERS: Record<Alert['type'], BannerKind> = { info: 'info', success: 'good', warning: 'warn', error: 'bad' };

/** Few forms have tabs. */
const FormTabs = lazy(() => import('./FormTabs.tsx'));

interface FormLayoutProps {
  form: FormFile;
  properties: readonly ObjectFieldTemplatePropertyType[];
  registry: Registry;
}

/** The members of a whole form, its messages among them, in its sections. What belongs to no field of the form comes after what is in no section. */
export function FormLayout({ form, properties, registry }: FormLayoutProps) {
  const { first, sections } = layoutOf(form);
  const contents = new Map<string, ReactNode>(properties.map(({ name, content }) => [name, content]));
  const named = new Set([...first, ...sections.flatMap(({ items }) => items)].map((item) => (item.kind === 'alert' ? '' : item.path)));
  const others = properties.filter(({ name }) => !named.has(name));
  // Where nothing is between the fields, rjsf's own order is theirs (`ui:order`).
  const isBare = sections.length === 0 && first.every(({ kind }) => kind !== 'alert');
  const draw = (items: readonly LayoutItem[]): ReactNode => (
    <div className={styles.grid}>
      {items.map((item) => {
        if (item.kind === 'alert') return <FormAlert key={`alert ${item.name}`} alert={form.alerts?.[item.name]} name={item.name} />;
        return <Fragment key={item.path}>{contents.get(item.path) ?? <MovedField path={item.path} registry={registry} />}</Fragment>;
      })}
      {items === first ? others.map(({ name, content }) => <Fragment key={contentKey(name, content)}>{content}</Fragment>) : null}
    </div>
  );
  if (isBare) {
    return (
      <div className={styles.grid}>
        {properties.map(({ name, content }) => (
          <Fragment key={contentKey(name, content)}>{content}</Fragment>
        ))}
      </div>
    );
  }
  if (form.sectionsAs === 'tabs') {
    return (
      <>
        {first.length + others.length > 0 ? draw(first) : null}
        <Suspense>
          <FormTabs model={contextOf(registry).model} sections={sections} draw={draw} />
        </Suspense>
      </>
    );
  }
  return (
    <div className={styles.sections}>
      {first.length + others.length > 0 ? draw(first) : null}
      {sections.map(({ section, items }) => (
        <FormSection
          key={items.map((item) => (item.kind === 'alert' ? item.name : item.path)).join(' ')}
          model={contextOf(registry).model}
          section={section}
          items={items}
        >
          {draw(items)}
        </FormSection>
      ))}
    </div>
  );
}

function FormAlert({ alert, name }: { alert: Alert | undefined; name: string }) {
  const { alerts } = use(ShownContext);
  const text = useText();
  if (!alert || !alerts.has(name)) return null;
  return (
    <div className={styles.cell}>
      <Banner kind={BANNERS[alert.type]}>{text(alert.text)}</Banner>
    </div>
  );
}

/** A member of a group that is in a section instead of in its group. */
function MovedField({ path, registry }: { path: string; registry: Registry }) {
  const { model, uiSchema, events } = contextOf(registry);
  const field = fieldsOf(model.module.form).get(path);
  if (!field) return null;
  const parts = path.split('.');
  return (
    <StoreSchemaField
      name={field.name}
      schema={field.schema}
      uiSchema={parts.reduce((node, name) => node?.[name], uiSchema)}
      fieldPathId={toFieldPathId(field.name, registry.globalFormOptions, parts.slice(0, -1))}
      required={field.isRequired}
      registry={registry}
      {...events}
    />
  );
}
