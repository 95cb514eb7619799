import { administrationStrings as texts } from '../../administration-strings.ts';
import { changeTokenPolicy, tokenPolicyQuery } from '../../api/credentials.ts';
import { Stack, Text } from '../../components/controls.ts';
import type { FieldsOf } from '../../components/form.tsx';
import { Page } from '../../components/layout.tsx';
import { AdminTabs } from './admin-page.tsx';
import { EditForm } from '../edit-form.tsx';

type Policy = { readonly max_days: string; readonly scopes_required: boolean };

const FIELDS: FieldsOf<Policy> = {
  max_days: { kind: 'number', label: texts.maxDays, description: texts.maxDaysHint },
  scopes_required: { kind: 'switch', label: texts.scopesRequired, description: texts.scopesRequiredHint },
};

const bodyOf = ({ max_days: days, ...others }: Partial<Policy>) => ({
  ...others,
  ...(days !== undefined && { max_days: days === '' ? null : Number(days) }),
});

/** What the organization requires of new tokens. */
export function TokenPolicy() {
  return (
    <Page title={texts.policyTitle} above={<AdminTabs current="token-policy" />}>
      <div className="page-scroll">
        <Stack className="page-text">
          <Text c="dimmed">{texts.policyText}</Text>
          <EditForm
            label={texts.policyTitle}
            query={tokenPolicyQuery}
            fields={FIELDS}
            valuesOf={({ max_days, scopes_required }): Policy => ({
              max_days: max_days === null ? '' : String(max_days),
              scopes_required,
            })}
            change={(changed, etag) => changeTokenPolicy(bodyOf(changed), etag)}
            concerned={[]}
          />
        </Stack>
      </div>
    </Page>
  );
}
