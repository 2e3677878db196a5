import '@ant-design/v5-patch-for-react-19';
import { Checkbox, Form, Input, InputNumber, Select } from 'antd';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { bigData, bigForm } from '../big-form.ts';
import { askedSize, measurePage } from './measure-page.ts';

const size = askedSize();
const { schema } = bigForm(size);

function Page() {
  return (
    <Form layout="vertical" initialValues={bigData(size)}>
      {Object.entries(schema.properties).map(([name, property]) => (
        <Form.Item
          key={name}
          name={name}
          label={name}
          help="What to enter here"
          valuePropName={property.type === 'boolean' ? 'checked' : 'value'}
          rules={[{ required: schema.required?.includes(name) }, ...(property.maxLength ? [{ max: property.maxLength }] : [])]}
        >
          {control(property)}
        </Form.Item>
      ))}
    </Form>
  );
}

function control(property: (typeof schema.properties)[string]) {
  if (property.enum) return <Select options={property.enum.map((value) => ({ value, label: String(value) }))} />;
  if (property.type === 'boolean') return <Checkbox>Yes</Checkbox>;
  return property.type === 'integer' ? <InputNumber /> : <Input />;
}

measurePage((root) => flushSync(() => createRoot(root).render(<Page />)));
