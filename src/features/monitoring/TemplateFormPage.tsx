import { useParams } from 'react-router';
import { FormAsPage } from '../../engine/form/FormPage.tsx';

const FORMS = 'monitoring-templates';

/** The template that an answer speaks of. */
const idIn = (data: unknown): string =>
  typeof data === 'object' && data !== null && 'id' in data && typeof data.id === 'number' ? String(data.id) : '';

/** A monitoring template as a form at an address of its own: a new one, or the one in the address. Then it is shown, to be tried on a device. */
export default function TemplateFormPage() {
  const { id } = useParams();
  const formId = id === undefined ? `${FORMS}/new` : `${FORMS}/edit`;
  return <FormAsPage formId={formId} id={id} next={({ data }) => `/${FORMS}/${id ?? idIn(data)}`} />;
}
