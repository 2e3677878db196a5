import AntdTabs from 'antd/es/tabs';
import type { ReactNode } from 'react';

interface TabsProps {
  tabs: readonly { key: string; title: ReactNode; content: ReactNode }[];
  active: string | undefined;
  onChange: (key: string) => void;
}

/** One part of a page at a time; the others are there, hidden, so that what is in them stays. Pages of their own are TabLinks. */
export function Tabs({ tabs, active, onChange }: TabsProps) {
  return (
    <AntdTabs
      size="small"
      animated={false}
      activeKey={active}
      onChange={onChange}
      items={tabs.map(({ key, title, content }) => ({ key, label: title, children: content, forceRender: true }))}
    />
  );
}
