import '@ant-design/v5-patch-for-react-19';
import { Refine, useList, type BaseRecord, type DataProvider } from '@refinedev/core';
import { Table } from 'antd';
import { createRoot } from 'react-dom/client';

interface Device extends BaseRecord {
  id: number;
  name: string;
  model: string;
  firmware: string;
  company_name: string;
}

const refused = () => Promise.reject(new Error('only lists are asked for'));
const dataProvider: DataProvider = {
  getApiUrl: () => '',
  getList: async ({ resource }) => (await fetch(`/${resource}.json`)).json(),
  getOne: refused,
  create: refused,
  update: refused,
  deleteOne: refused,
};

const columns = [
  { dataIndex: 'id', title: 'Id' },
  { dataIndex: 'name', title: 'Name', render: (name: string, { id }: Device) => <a href={`/devices/${id}`}>{name}</a> },
  { dataIndex: 'model', title: 'Model' },
  { dataIndex: 'firmware', title: 'Firmware' },
  { dataIndex: 'company_name', title: 'Company' },
];

function DeviceList() {
  const { result } = useList<Device>({ resource: 'devices', pagination: { pageSize: 50 } });
  return <Table rowKey="id" columns={columns} dataSource={result.data} pagination={{ pageSize: 50 }} />;
}

const root = document.createElement('div');
document.body.append(root);
createRoot(root).render(
  <Refine dataProvider={dataProvider} resources={[{ name: 'devices', list: '/' }]} options={{ disableTelemetry: true }}>
    <DeviceList />
  </Refine>,
);
