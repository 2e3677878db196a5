import { useParams } from 'react-router';
import { FormAsPage } from '../../engine/form/FormPage.tsx';

/** A monitoring template as a form at an address of its own: a new one, or the one in the address. */
export default function TemplateFormPage() {
  const { id } = useParams();
  return <FormAsPage formId={id === undefined ? 'monitoring-templates/new' : 'monitoring-templates/edit'} id={id} />;
}
