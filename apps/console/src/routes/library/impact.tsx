import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { type EditedCountermeasure, reachedProjectsQuery } from '../../api/library-editing.ts';
import { Text } from '../../components/controls.ts';
import { Loaded } from '../../components/states.tsx';
import { libraryStrings as texts } from '../../library-strings.ts';

/** Which projects a change reaches, before it is saved. */
export function Impact({ countermeasure }: { readonly countermeasure: EditedCountermeasure }) {
  const reached = useQuery(reachedProjectsQuery(countermeasure.id, countermeasure.match_conditions));
  return (
    <section aria-label={texts.impact}>
      <Loaded query={reached}>
        {({ count, projects }) =>
          count === 0 ? (
            <Text size="sm">{texts.noImpact}</Text>
          ) : (
            <>
              <Text size="sm">
                {texts.hasImpact(count)}{' '}
                {projects.map(({ id, name }, index) => (
                  <Fragment key={id}>
                    {index > 0 && ', '}
                    <Link to="/projects/$project" params={{ project: String(id) }} className="text-link">
                      {name}
                    </Link>
                  </Fragment>
                ))}
                {count > projects.length && `, ${texts.otherProjects(count - projects.length)}`}
              </Text>
              <Text size="sm" c="dimmed">
                {texts.impactLimits}
              </Text>
            </>
          )
        }
      </Loaded>
    </section>
  );
}
