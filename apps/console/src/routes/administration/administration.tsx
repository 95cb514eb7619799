import { getRouteApi, Navigate } from '@tanstack/react-router';
import { type AdministrationSection, sectionsFor } from '../../api/access.ts';
import { administrationStrings as texts } from '../../administration-strings.ts';
import { Empty } from '../../components/states.tsx';
import { useSession } from '../use-session.ts';
import { Activity } from './activity.tsx';
import { Exports } from './exports.tsx';
import { Flags } from './flags.tsx';
import { Groups } from './groups.tsx';
import { IdentityProviders } from './identity-providers.tsx';
import { Imports } from './imports.tsx';
import { Roles } from './roles.tsx';
import { TokenPolicy } from './token-policy.tsx';
import { Users } from './users.tsx';
import { Webhooks } from './webhooks.tsx';

const PAGES = {
  users: Users,
  groups: Groups,
  roles: Roles,
  'identity-providers': IdentityProviders,
  'token-policy': TokenPolicy,
  flags: Flags,
  webhooks: Webhooks,
  exports: Exports,
  imports: Imports,
  activity: Activity,
} as const satisfies Record<AdministrationSection, unknown>;

const route = getRouteApi('/administration/$section');

function NotYours() {
  return (
    <Empty title={texts.notYours} isPage>
      {texts.notYoursText}
    </Empty>
  );
}

/** The part of the administration that the address names, if the user may use it. */
export function Administration() {
  const { section: name } = route.useParams();
  const section = sectionsFor(useSession()).find((one) => one === name);
  if (section === undefined) return <NotYours />;
  const Content = PAGES[section];
  return <Content key={section} />;
}

/** The administration without a part leads to the first that the user may use. */
export function AdministrationStart() {
  const [section] = sectionsFor(useSession());
  if (section === undefined) return <NotYours />;
  return <Navigate to="/administration/$section" params={{ section }} replace />;
}
