import AntdRadio, { type RadioChangeEvent } from 'antd/es/radio';

interface RadioProps {
  'aria-label': string;
  checked: boolean;
  disabled?: boolean;
  onChange: (event: RadioChangeEvent) => void;
}

/** One of several in the lines of a table; choices with words of their own are a RadioField. */
export function Radio(props: RadioProps) {
  return <AntdRadio {...props} />;
}
