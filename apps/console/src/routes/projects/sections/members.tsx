import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../../api/client.ts';
import { candidatesQuery, projectRolesQuery } from '../../../api/project-sections.ts';
import { changeProject, type ProjectDetails, taggedProjectQuery } from '../../../api/projects.ts';
import { AskButton } from '../../../components/ask-button.tsx';
import { Button, Group, Select, Stack, Text, useDebouncedValue } from '../../../components/controls.ts';
import { distinct, type Option, personOption, renderOption } from '../../../components/options.tsx';
import { nameOf } from '../../../components/formats.tsx';
import { ScrollRegion, Section } from '../../../components/layout.tsx';
import { messageOf } from '../../../components/states.tsx';
import { toast } from '../../../components/toasts.tsx';
import { projectStrings as texts } from '../../../project-strings.ts';
import { strings } from '../../../strings.ts';
import type { SectionProps } from './section-props.ts';

type Role = ProjectDetails['users'][number]['role'];
type Kind = 'users' | 'groups';

interface Member {
  readonly kind: Kind;
  readonly id: string;
  readonly name: string;
  readonly detail?: string;
  readonly role: Role;
}

const membersOf = ({ users, groups }: Pick<ProjectDetails, 'users' | 'groups'>): Member[] => [
  ...users.map((user): Member => ({
    kind: 'users',
    id: String(user.id),
    name: nameOf(user),
    detail: user.email,
    role: user.role,
  })),
  ...groups.map(({ id, name, role }): Member => ({ kind: 'groups', id, name, role })),
];

const bodyOf = (kind: Kind, members: readonly Pick<Member, 'id' | 'kind' | 'role'>[]) => {
  const chosen = members.filter((member) => member.kind === kind);
  return kind === 'users'
    ? { users: chosen.map(({ id, role }) => ({ id: Number(id), role })) }
    : { groups: chosen.map(({ id, role }) => ({ id, role })) };
};

interface MemberChange {
  readonly kind: Kind;
  readonly id: string;
  /** Without a role, the member is removed. */
  readonly role?: Role;
}

/** Changes one member. The service gets all members, so a change that someone else made meanwhile stops it. */
function useMemberChange(project: number) {
  const queries = useQueryClient();
  const query = taggedProjectQuery(project);
  return useMutation({
    mutationFn: async ({ kind, id, role }: MemberChange) => {
      const { item, etag } = await queries.ensureQueryData(query);
      const others = membersOf(item).filter((member) => member.kind !== kind || member.id !== id);
      return changeProject(project, bodyOf(kind, role ? [...others, { kind, id, role }] : others), etag);
    },
    scope: { id: `members-${project}` },
    onSuccess: (tagged) => queries.setQueryData(query.queryKey, tagged),
    onError: async (error) => {
      await queries.invalidateQueries({ queryKey: query.queryKey });
      const isConflict = error instanceof ApiError && error.status === 412;
      toast(isConflict ? texts.membersChanged : messageOf(error), { isError: true });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['activities'] }),
  });
}

type Changing = ReturnType<typeof useMemberChange>;

function MemberRow({
  member,
  roles,
  changing,
  mayChange,
}: {
  readonly member: Member;
  readonly roles: readonly Option[];
  readonly changing: Changing;
  readonly mayChange: boolean;
}) {
  const { kind, id, name, detail, role } = member;
  return (
    <li className="entry">
      <div className="entry-text">
        <Text fw={500}>{name}</Text>
        {detail !== undefined && (
          <Text size="sm" c="dimmed">
            {detail}
          </Text>
        )}
      </div>
      {mayChange ? (
        <Group gap="xs">
          <Select
            w={165}
            size="sm"
            aria-label={texts.roleOf(name)}
            data={[...roles]}
            value={role}
            allowDeselect={false}
            onChange={(chosen) => chosen && changing.mutate({ kind, id, role: chosen as Role })}
          />
          <AskButton size="sm" question={texts.removeAsk(name)} onConfirm={() => changing.mutate({ kind, id })}>
            {texts.remove}
          </AskButton>
        </Group>
      ) : (
        <Text size="sm">{roles.find(({ value }) => value === role)?.label ?? role}</Text>
      )}
    </li>
  );
}

/** How long typing pauses before the service is asked. */
const PAUSE_MILLISECONDS = 200;

function AddMember({
  members,
  roles,
  changing,
}: {
  readonly members: readonly Member[];
  readonly roles: readonly Option[];
  readonly changing: Changing;
}) {
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const [role, setRole] = useState<string | null>(null);
  const [q] = useDebouncedValue(typed.trim(), PAUSE_MILLISECONDS);
  const found = useQuery({ ...candidatesQuery(q), enabled: isOpen, placeholderData: keepPreviousData });
  const known = new Set(members.map(({ kind, id }) => `${kind} ${id}`));
  const optionsOf = (options: readonly Option[]): Option[] =>
    distinct(options.filter(({ value }) => !known.has(value) || value === chosen));
  const users = (found.data?.users ?? []).map((user) => personOption(user, `users ${user.id}`));
  const groups = (found.data?.groups ?? []).map(({ id, name }) => ({ value: `groups ${id}`, label: name }));
  const add = (event: FormEvent): void => {
    event.preventDefault();
    const [kind, id] = (chosen ?? '').split(' ');
    if (id === undefined || role === null) return;
    changing.mutate({ kind: kind as Kind, id, role: role as Role }, { onSuccess: () => setChosen(null) });
  };
  return (
    <form onSubmit={add} aria-label={texts.addMember}>
      <Group gap="xs" align="flex-end">
        <Select
          style={{ flex: '1 1 220px' }}
          label={texts.member}
          placeholder={texts.memberHint}
          data={[
            { group: texts.users, items: optionsOf(users) },
            { group: texts.groups, items: optionsOf(groups) },
          ]}
          value={chosen}
          onChange={setChosen}
          searchable
          renderOption={renderOption}
          // The service has searched, also in e-mail addresses.
          filter={({ options }) => options}
          onSearchChange={setTyped}
          onDropdownOpen={() => setOpen(true)}
        />
        <Select w={165} label={texts.role} data={[...roles]} value={role} onChange={setRole} />
        <Button type="submit" disabled={chosen === null || role === null} loading={changing.isPending}>
          {texts.add}
        </Button>
      </Group>
    </form>
  );
}

/** Who works on a project, with which role. */
export function Members({ project }: SectionProps) {
  const roles = (useQuery(projectRolesQuery).data?.results ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const changing = useMemberChange(project.id);
  const members = membersOf(project);
  const mayChange = (project.permissions?.includes('project') ?? false) && !project.archived && !project.locked;
  const list = (kind: Kind, none: string) => {
    const shown = members.filter((member) => member.kind === kind);
    if (shown.length === 0) return <Text c="dimmed">{none}</Text>;
    return (
      <ul className="plain-list" style={{ gap: 0 }} aria-labelledby={kind}>
        {shown.map((member) => (
          <MemberRow key={member.id} member={member} roles={roles} changing={changing} mayChange={mayChange} />
        ))}
      </ul>
    );
  };
  return (
    <ScrollRegion label={strings.projectSections.members}>
      <Stack p={{ base: 'md', sm: 'lg' }} gap="xl" maw={860}>
        {mayChange && <AddMember members={members} roles={roles} changing={changing} />}
        <Section id="users" title={texts.users}>
          {list('users', texts.noUsers)}
        </Section>
        <Section id="groups" title={texts.groups}>
          {list('groups', texts.noGroups)}
        </Section>
      </Stack>
    </ScrollRegion>
  );
}
