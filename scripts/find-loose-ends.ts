import { hasTextFor, textKeysOfResource, type ResourceTexts } from '../schemas/kit/form/text-keys.ts';
import type { FormFile } from '../schemas/kit/form/types.ts';

interface Sources {
  forms: readonly Pick<FormFile, 'id' | 'submit'>[];
  resources: readonly ResourceTexts[];
  /** Keys of the English texts. */
  texts: ReadonlySet<string>;
  /** All code of the server. */
  server: string;
}

// `formRoute(app, 'tags/edit'`, `loadForm('tags/edit')`; the type of its fields alone is no route.
const ROUTED_FORM = /(?:[fF]ormRoute\(\s*\w+,|\bloadForm\()\s*'([^']+)'/g;

/** What is named in the contract and nowhere else, one sentence each: forms without a route, entries without texts, kinds of jobs that nobody does. */
export function findLooseEnds({ forms, resources, texts, server }: Sources): string[] {
  const isNamed = (name: string): boolean => server.includes(`'${name}'`);
  const routedForms = new Set([...server.matchAll(ROUTED_FORM)].map(([, id]) => id));
  // Forms that start a device job share one route.
  const lonely = forms.filter(({ id, submit }) => !submit.path?.endsWith('/run') && !routedForms.has(id));
  const jobs = resources.flatMap(({ name, actions = [] }) => actions.map(({ id, job }) => ({ name, id, job })));
  return [
    ...lonely.map(({ id }) => `schemas/forms/${id}.form.json: no formRoute(app, '${id}', …) in server/`),
    ...resources.flatMap((resource) =>
      textKeysOfResource(resource)
        .filter((key) => !hasTextFor(key, texts))
        .map((key) => `resources/ "${resource.name}": no English text for the key "${key}"`),
    ),
    ...jobs.flatMap(({ name, id, job }) =>
      job === undefined || isNamed(job)
        ? []
        : [`resources/ "${name}": the action "${id}" starts a job "${job}", which nothing in server/ does`],
    ),
  ];
}
