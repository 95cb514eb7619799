import { useQuery } from '@tanstack/react-query';
import { explanationQuery } from '../../api/countermeasures.ts';
import { Loaded } from '../../components/states.tsx';
import { strings } from '../../strings.ts';

/** Why a countermeasure is in the project, in sentences. */
export function Reasons({ project, id }: { readonly project: number; readonly id: string }) {
  const query = useQuery(explanationQuery(project, id));
  return (
    <Loaded query={query}>
      {({ reasons }) => (
        <ul className="prose" aria-label={strings.why}>
          {reasons.map(({ type, ref, text }) => (
            <li key={`${type} ${ref} ${text}`}>{text}</li>
          ))}
        </ul>
      )}
    </Loaded>
  );
}
