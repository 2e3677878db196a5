import '@ant-design/v5-patch-for-react-19';
import { Form } from '@rjsf/antd';
import validator from '@rjsf/validator-ajv8';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { bigData, bigForm } from '../big-form.ts';
import { askedSize, measurePage } from './measure-page.ts';

const size = askedSize();
const { schema, ui = {} } = bigForm(size);
const uiSchema = Object.fromEntries(Object.entries(ui).map(([name]) => [name, { 'ui:title': name, 'ui:help': 'What to enter here' }]));
const properties = Object.fromEntries(Object.entries(schema.properties));

measurePage((root) =>
  flushSync(() =>
    createRoot(root).render(
      <Form
        schema={{ type: 'object', required: schema.required, properties }}
        uiSchema={uiSchema}
        formData={bigData(size)}
        validator={validator}
      />,
    ),
  ),
);
