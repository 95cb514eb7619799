import { useQuery } from '@tanstack/react-query';
import { explanationQuery, type Reason } from '../../api/countermeasures.ts';
import { Title } from '../../components/controls.ts';
import { Loaded } from '../../components/states.tsx';
import { strings } from '../../strings.ts';

function ReasonList({ label, reasons }: { readonly label: string; readonly reasons: readonly Reason[] }) {
  if (reasons.length === 0) return null;
  return (
    <ul className="prose" aria-label={label}>
      {reasons.map(({ type, ref, text }) => (
        <li key={`${type} ${ref} ${text}`}>{text}</li>
      ))}
    </ul>
  );
}

/** Why a countermeasure is in the project, and what could add it but does not, in sentences. */
export function Reasons({ project, id }: { readonly project: number; readonly id: string }) {
  const query = useQuery(explanationQuery(project, id));
  return (
    <Loaded query={query}>
      {({ reasons }) => {
        const others = reasons.filter(({ effect }) => effect === 'out');
        return (
          <>
            <ReasonList label={strings.why} reasons={reasons.filter(({ effect }) => effect !== 'out')} />
            {others.length > 0 && (
              <>
                <Title order={3} size="h6" mt="md">
                  {strings.whyOthers}
                </Title>
                <ReasonList label={strings.whyOthers} reasons={others} />
              </>
            )}
          </>
        );
      }}
    </Loaded>
  );
}
