import { useQuery, useQueryClient } from '@tanstack/react-query';
import { riskPoliciesQuery } from '../../../api/project-sections.ts';
import { changeProject, profilesQuery, type ProjectDetails, taggedProjectQuery } from '../../../api/projects.ts';
import { AskButton } from '../../../components/ask-button.tsx';
import { Button, Stack, Text } from '../../../components/controls.ts';
import { ScrollRegion, Section } from '../../../components/layout.tsx';
import { idOf } from '../../../components/formats.tsx';
import { projectStrings as texts } from '../../../project-strings.ts';
import { strings } from '../../../strings.ts';
import { EditForm } from '../../edit-form.tsx';
import { useChange } from '../../use-change.ts';
import type { SectionProps } from './section-props.ts';

type Fields = {
  readonly name: string;
  readonly description: string;
  readonly profile: string;
  readonly risk_policy: string;
  readonly tags: readonly string[];
  readonly content_refresh_locked: boolean;
};

const valuesOf = (project: ProjectDetails): Fields => ({
  name: project.name,
  description: project.description,
  profile: project.profile?.id ?? '',
  risk_policy: idOf(project.risk_policy),
  tags: project.tags,
  content_refresh_locked: project.content_refresh_locked,
});

const bodyOf = ({ profile, risk_policy: policy, tags, ...others }: Partial<Fields>) => ({
  ...others,
  ...(profile !== undefined && { profile: profile === '' ? null : profile }),
  ...(policy !== undefined && { risk_policy: policy === '' ? null : Number(policy) }),
  ...(tags !== undefined && { tags: [...tags] }),
});

/** What depends on the settings of a project. */
const CONCERNED = ['project', 'projects', 'gate', 'home', 'activities'];

/** Archives or locks the project, or takes that back. */
function State({ project }: { readonly project: ProjectDetails }) {
  const queries = useQueryClient();
  const changing = useChange(async (body: { readonly archived?: boolean; readonly locked?: boolean }) => {
    const { etag } = await queries.ensureQueryData(taggedProjectQuery(project.id));
    return changeProject(project.id, body, etag);
  }, CONCERNED);
  const { archived, locked } = project;
  return (
    <Section id="state" title={texts.state}>
      <Stack gap="lg" align="flex-start">
        {!archived && (
          <div>
            <Text size="sm" c="dimmed" mb={6}>
              {locked ? texts.unlockHint : texts.lockHint}
            </Text>
            {locked ? (
              <Button variant="default" loading={changing.isPending} onClick={() => changing.mutate({ locked: false })}>
                {texts.unlock}
              </Button>
            ) : (
              <AskButton
                question={texts.lockAsk}
                loading={changing.isPending}
                onConfirm={() => changing.mutate({ locked: true })}
              >
                {texts.lock}
              </AskButton>
            )}
          </div>
        )}
        {!locked && (
          <div>
            <Text size="sm" c="dimmed" mb={6}>
              {archived ? texts.reopenHint : texts.archiveHint}
            </Text>
            {archived ? (
              <Button
                variant="default"
                loading={changing.isPending}
                onClick={() => changing.mutate({ archived: false })}
              >
                {texts.reopen}
              </Button>
            ) : (
              <AskButton
                question={texts.archiveAsk}
                loading={changing.isPending}
                onConfirm={() => changing.mutate({ archived: true })}
              >
                {texts.archive}
              </AskButton>
            )}
          </div>
        )}
      </Stack>
    </Section>
  );
}

function Details({ project }: { readonly project: ProjectDetails }) {
  const profiles = useQuery(profilesQuery);
  const policies = useQuery(riskPoliciesQuery);
  return (
    <Section id="details" title={texts.details}>
      <EditForm
        label={texts.details}
        query={taggedProjectQuery(project.id)}
        valuesOf={valuesOf}
        change={(changed, etag) => changeProject(project.id, bodyOf(changed), etag)}
        concerned={CONCERNED}
        fields={{
          name: { kind: 'text', label: strings.name, isRequired: true },
          description: { kind: 'long', label: strings.description },
          tags: { kind: 'tags', label: texts.tags },
          risk_policy: {
            kind: 'choice',
            label: texts.riskPolicy,
            description: texts.riskPolicyHint,
            options: (policies.data?.results ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
          },
          profile: {
            kind: 'choice',
            label: strings.profile,
            description: texts.profileHint,
            options: (profiles.data?.results ?? []).map(({ id, name }) => ({ value: id, label: name })),
          },
          content_refresh_locked: {
            kind: 'switch',
            label: texts.refreshLocked,
            description: texts.refreshLockedHint,
          },
        }}
      />
    </Section>
  );
}

/** The settings of a project, for those who may change them. */
export function Settings({ project }: SectionProps) {
  const mayChange = project.permissions?.includes('project') ?? false;
  return (
    <ScrollRegion label={strings.projectSections.settings}>
      <Stack p={{ base: 'md', sm: 'lg' }} gap="xl" maw={640}>
        {mayChange ? (
          <>
            {!project.archived && !project.locked && <Details project={project} />}
            <State project={project} />
          </>
        ) : (
          <Text c="dimmed">{texts.readOnly}</Text>
        )}
      </Stack>
    </ScrollRegion>
  );
}
