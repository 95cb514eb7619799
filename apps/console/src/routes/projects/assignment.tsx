import { useQuery } from '@tanstack/react-query';
import { changeCountermeasure, type Countermeasure, countermeasureQuery } from '../../api/countermeasures.ts';
import { projectQuery } from '../../api/projects.ts';
import { personOption } from '../../components/options.tsx';
import { strings } from '../../strings.ts';
import { EditForm } from '../edit-form.tsx';

type Fields = { readonly assigned_to: readonly string[]; readonly tags: readonly string[] };

const valuesOf = ({ assigned_to: people, tags }: Countermeasure): Fields => ({
  assigned_to: people.map(({ email }) => email),
  tags: tags ?? [],
});

const bodyOf = ({ assigned_to: people, tags }: Partial<Fields>) => ({
  ...(people && { assigned_to: people.map((email) => ({ email })) }),
  ...(tags && { tags: [...tags] }),
});

const CONCERNED = ['countermeasures', 'my-countermeasures', 'activities', 'home'];

/** Assigns a countermeasure to members of the project, and changes its tags. */
export function Assignment({ project, item }: { readonly project: number; readonly item: Countermeasure }) {
  const members = useQuery(projectQuery(project)).data?.users ?? [];
  // Someone may have left the project since.
  const people = new Map(
    [...item.assigned_to, ...members].map((person) => [person.email, personOption(person, person.email)]),
  );
  return (
    <EditForm
      label={strings.assignment}
      query={countermeasureQuery(project, item.task_id)}
      valuesOf={valuesOf}
      change={(changed, etag) => changeCountermeasure(project, item.task_id, bodyOf(changed), etag)}
      concerned={CONCERNED}
      fields={{
        assigned_to: {
          kind: 'choices',
          label: strings.assignedTo,
          options: [...people.values()],
        },
        tags: { kind: 'tags', label: strings.tags },
      }}
    />
  );
}
