import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { projectThreatsQuery, projectWeaknessesQuery } from '../../../api/project-sections.ts';
import { Priority, StateBadge, Tag } from '../../../components/formats.tsx';
import { ItemList } from '../../../components/item-list.tsx';
import { Empty, Loaded } from '../../../components/states.tsx';
import { projectStrings as texts } from '../../../project-strings.ts';
import { strings } from '../../../strings.ts';
import type { SectionProps } from './section-props.ts';

const MAX_TAGS = 3;

function None({ q, title }: { readonly q: string | undefined; readonly title: string }) {
  return (
    <Empty title={q === undefined ? title : strings.nothingFound}>{q === undefined && texts.noWeaknessesText}</Empty>
  );
}

function Row({ level, id, title, children }: { level: number; id: string; title: string; children: ReactNode }) {
  return (
    <>
      <Priority value={level} label={texts.riskOf(level)} />
      <span className="row-id">{id}</span>
      <span className="row-title" title={title}>
        {title}
      </span>
      {children}
    </>
  );
}

/** The weaknesses of a project. Each leads to the countermeasures against it. */
export function ProjectWeaknesses({ project, q }: SectionProps) {
  const weaknesses = useQuery(projectWeaknessesQuery(project.id, q));
  return (
    <Loaded query={weaknesses}>
      {({ results }) =>
        results.length === 0 ? (
          <None q={q} title={texts.noWeaknesses} />
        ) : (
          <ItemList
            label={strings.weaknesses}
            items={results}
            keyOf={({ id }) => id}
            renderRow={({ id, title, risk_rating: rating, cwe, tasks }) => (
              <Link
                className="row"
                to="/projects/$project"
                params={{ project: String(project.id) }}
                search={{ problem: id }}
              >
                <Row level={rating} id={id} title={title}>
                  <span className="row-side row-wide">
                    {cwe.slice(0, MAX_TAGS).map((one) => (
                      <Tag key={one}>{`CWE-${one}`}</Tag>
                    ))}
                    <span className="row-fixed">{texts.countermeasuresOf(tasks.length)}</span>
                  </span>
                </Row>
              </Link>
            )}
          />
        )
      }
    </Loaded>
  );
}

/** The threats of a project, and whether their countermeasures are done. */
export function ProjectThreats({ project, q }: SectionProps) {
  const threats = useQuery(projectThreatsQuery(project.id, q));
  return (
    <Loaded query={threats}>
      {({ results }) =>
        results.length === 0 ? (
          <None q={q} title={texts.noThreats} />
        ) : (
          <ItemList
            label={strings.threats}
            items={results}
            keyOf={({ id }) => id}
            renderRow={({ threat_id: id, title, severity, status, stride, tasks }) => (
              <Link className="row" to="/library/threats/$id" params={{ id }}>
                <Row level={severity} id={id} title={title}>
                  <span className="row-side row-wide">
                    {stride.slice(0, MAX_TAGS).map((one) => (
                      <Tag key={one}>{one}</Tag>
                    ))}
                    <span className="row-fixed">{texts.countermeasuresOf(tasks.length)}</span>
                  </span>
                  <span className="status-cell">
                    <StateBadge tone={status === 'Mitigated' ? 'good' : 'neutral'}>
                      {texts.threatStates[status]}
                    </StateBadge>
                  </span>
                </Row>
              </Link>
            )}
          />
        )
      }
    </Loaded>
  );
}
