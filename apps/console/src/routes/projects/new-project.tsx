import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../api/client.ts';
import {
  applicationsQuery,
  businessUnitsQuery,
  createApplication,
  createBusinessUnit,
  createProject,
  profilesQuery,
} from '../../api/projects.ts';
import { Button, Group, Select, Stack, Textarea, TextInput } from '../../components/controls.ts';
import { useDraft } from '../../components/draft.ts';
import { DraftRestored } from '../../components/draft-field.tsx';
import { Page } from '../../components/layout.tsx';
import { Failure } from '../../components/states.tsx';
import { strings } from '../../strings.ts';

const NEW = 'new';

interface Fields {
  readonly name: string;
  readonly description: string;
  readonly profile: string | null;
  readonly application: string | null;
  readonly applicationName: string;
  readonly unit: string | null;
  readonly unitName: string;
}

const EMPTY: Fields = {
  name: '',
  description: '',
  profile: null,
  application: null,
  applicationName: '',
  unit: null,
  unitName: '',
};

const optionsOf = (items: readonly { readonly id: number | string; readonly name: string }[] | undefined) =>
  (items ?? []).map(({ id, name }) => ({ value: String(id), label: name }));

/** Creates what the fields describe, from the business unit down to the project. */
async function create(fields: Fields, keep: (created: Partial<Fields>) => void) {
  let { unit, application } = fields;
  if (application === NEW) {
    if (unit === NEW) {
      unit = String((await createBusinessUnit({ name: fields.unitName })).id);
      keep({ unit }); // a second attempt does not create it again
    }
    const created = await createApplication({ name: fields.applicationName, business_unit: Number(unit) });
    application = String(created.id);
    keep({ application });
  }
  const { name, description, profile } = fields;
  return createProject({ name, description, application: Number(application), ...(profile && { profile }) });
}

/** The fields that lack a value. */
function missingIn(fields: Fields): (keyof Fields)[] {
  const needed: (keyof Fields)[] = ['name', 'application'];
  if (fields.application === NEW) needed.push('applicationName', 'unit');
  if (fields.application === NEW && fields.unit === NEW) needed.push('unitName');
  return needed.filter((name) => (fields[name] ?? '').trim() === '');
}

export function NewProject() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const draft = useDraft('new-project', EMPTY);
  const fields = draft.value;
  const [missing, setMissing] = useState<readonly (keyof Fields)[]>([]);
  const applications = useQuery(applicationsQuery);
  const profiles = useQuery(profilesQuery);
  const units = useQuery({ ...businessUnitsQuery, enabled: fields.application === NEW });
  const set = (changed: Partial<Fields>): void => draft.set((before) => ({ ...before, ...changed }));
  const creating = useMutation({
    mutationFn: () => create(fields, set),
    onSuccess: async ({ id }) => {
      draft.clear();
      await navigate({ to: '/projects/$project/survey', params: { project: String(id) } });
    },
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['projects'] }),
        queries.invalidateQueries({ queryKey: applicationsQuery.queryKey }),
      ]),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const lacking = missingIn(fields);
    setMissing(lacking);
    if (lacking.length === 0) creating.mutate();
  };
  const errors = creating.error instanceof ApiError ? creating.error.fields : {};
  const errorOf = (name: keyof Fields): string | undefined =>
    missing.includes(name) && missingIn(fields).includes(name) ? strings.required : errors[name];
  return (
    <Page title={strings.newProject}>
      <div className="page-scroll">
        <form className="page-text" onSubmit={submit} noValidate>
          <Stack>
            {draft.isRestored && <DraftRestored onDiscard={draft.clear} />}
            <TextInput
              label={strings.name}
              required
              value={fields.name}
              error={errorOf('name')}
              onChange={({ currentTarget: { value } }) => set({ name: value })}
            />
            <Select
              label={strings.application}
              required
              searchable
              data={[...optionsOf(applications.data?.results), { value: NEW, label: strings.newApplication }]}
              value={fields.application}
              error={errorOf('application')}
              onChange={(application) => set({ application })}
            />
            {fields.application === NEW && (
              <>
                <TextInput
                  label={strings.applicationName}
                  required
                  value={fields.applicationName}
                  error={errorOf('applicationName')}
                  onChange={({ currentTarget: { value } }) => set({ applicationName: value })}
                />
                <Select
                  label={strings.businessUnit}
                  required
                  searchable
                  data={[...optionsOf(units.data?.results), { value: NEW, label: strings.newUnit }]}
                  value={fields.unit}
                  error={errorOf('unit')}
                  onChange={(unit) => set({ unit })}
                />
              </>
            )}
            {fields.application === NEW && fields.unit === NEW && (
              <TextInput
                label={strings.unitName}
                required
                value={fields.unitName}
                error={errorOf('unitName')}
                onChange={({ currentTarget: { value } }) => set({ unitName: value })}
              />
            )}
            <Select
              label={strings.profile}
              description={strings.profileHint}
              searchable
              clearable
              data={optionsOf(profiles.data?.results)}
              value={fields.profile}
              error={errorOf('profile')}
              onChange={(profile) => set({ profile })}
            />
            <Textarea
              label={strings.description}
              autosize
              minRows={3}
              value={fields.description}
              error={errorOf('description')}
              onChange={({ currentTarget: { value } }) => set({ description: value })}
            />
            {creating.error && <Failure error={creating.error} />}
            <Group>
              <Button type="submit" loading={creating.isPending}>
                {strings.create}
              </Button>
            </Group>
          </Stack>
        </form>
      </div>
    </Page>
  );
}
