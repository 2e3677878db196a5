import { Navigate, useParams } from 'react-router';

/** `/jobs/<id>`: the list of jobs with that job's dialog open. */
export default function JobLinkPage() {
  const { id = '' } = useParams();
  return <Navigate replace to={{ pathname: '/management/jobs', search: `?job=${encodeURIComponent(id)}` }} />;
}
