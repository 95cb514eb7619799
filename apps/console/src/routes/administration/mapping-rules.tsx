import { useQuery } from '@tanstack/react-query';
import { administrationStrings as texts } from '../../administration-strings.ts';
import { changeProvider, type Provider, providerQuery } from '../../api/administration.ts';
import type { Tagged } from '../../api/client.ts';
import { businessUnitsQuery } from '../../api/projects.ts';
import { Button, Group, Stack, Text } from '../../components/controls.ts';
import { type FieldsOf, Form } from '../../components/form.tsx';
import { Loaded } from '../../components/states.tsx';
import { useChange, useSaved } from '../use-change.ts';
import { useGroups, useRoles } from './options.ts';

type Rule = Provider['group_mappings'][number];
type RuleFields = { readonly group: string; readonly gives: string };

/** A choice of what a rule gives contains which kind it is. */
const ROLE = 'role ';
const GROUP = 'group ';

const ruleOf = ({ group, gives }: RuleFields): Rule =>
  gives.startsWith(ROLE)
    ? { group, role: gives.slice(ROLE.length) }
    : { group, merlon_group: gives.slice(GROUP.length) };

/** What members of groups of a provider get. Rules are changed by adding and removing them. */
export function MappingRules({ id }: { readonly id: number }) {
  return <Loaded query={useQuery(providerQuery(id))}>{(tagged) => <Rules {...tagged} />}</Loaded>;
}

function Rules({ item: { id, group_mappings: rules }, etag }: Tagged<Provider>) {
  const gifts = [
    ...useRoles().map(({ value, label }) => ({ value: `${ROLE}${value}`, label: texts.givesRole(label) })),
    ...useGroups().map(({ value, label }) => ({ value: `${GROUP}${value}`, label: texts.givesGroup(label) })),
  ];
  const units = useQuery(businessUnitsQuery).data?.results;
  const nameOf = ({ role, merlon_group, project_role, business_unit }: Rule): string => {
    if (project_role !== undefined)
      return texts.givesProjectRole(project_role, units?.find(({ id: unit }) => unit === business_unit)?.name ?? '…');
    const wanted = role === undefined ? `${GROUP}${merlon_group}` : `${ROLE}${role}`;
    return gifts.find(({ value }) => value === wanted)?.label ?? wanted;
  };
  const change = (next: readonly Rule[]) => changeProvider(id, { group_mappings: [...next] }, etag);
  const removing = useChange(
    (removed: Rule) => change(rules.filter((rule) => rule !== removed)),
    ['identity-providers'],
  );
  const saved = useSaved(['identity-providers']);
  const fields: FieldsOf<RuleFields> = {
    group: { kind: 'text', label: texts.providerGroup, isRequired: true },
    gives: { kind: 'choice', label: texts.gives, isRequired: true, options: gifts },
  };
  return (
    <Stack>
      <Text c="dimmed" size="sm">
        {rules.length === 0 ? texts.noRules : ''} {texts.rulesHint}
      </Text>
      <ul className="plain-list" aria-label={texts.rules}>
        {rules.map((rule) => (
          <li key={JSON.stringify(rule)}>
            <Group justify="space-between" wrap="nowrap">
              <span style={{ overflowWrap: 'anywhere' }}>
                {rule.group} → {nameOf(rule)}
              </span>
              <Button
                size="xs"
                variant="default"
                aria-label={texts.removeRule(rule.group)}
                loading={removing.isPending}
                onClick={() => removing.mutate(rule)}
              >
                {texts.remove}
              </Button>
            </Group>
          </li>
        ))}
      </ul>
      <Form
        key={rules.length}
        label={texts.addRule}
        initial={{ group: '', gives: '' }}
        fields={fields}
        submit={texts.addRule}
        save={(values) => change([...rules, ruleOf(values)])}
        onSaved={saved}
      />
    </Stack>
  );
}
