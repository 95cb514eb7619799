import { onlineManager, useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import {
  IconBug,
  IconChartBar,
  IconClipboardList,
  IconHome,
  IconInbox,
  IconSettings,
  IconShieldCheck,
  IconSkull,
} from '@tabler/icons-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { sectionsFor } from '../api/access.ts';
import { basePath } from '../api/client.ts';
import { type Session, sessionQuery, signOut } from '../api/session.ts';
import { Alert } from '../components/controls.ts';
import { useDraftsOf } from '../components/draft.ts';
import { nameOf } from '../components/formats.tsx';
import { Frame } from '../components/frame.tsx';
import { Failure, Loaded, messageOf } from '../components/states.tsx';
import { toast, Toasts } from '../components/toasts.tsx';
import { strings } from '../strings.ts';
import { CommandMenu } from './command-menu.tsx';
import { ConfirmSession } from './confirm-session.tsx';
import { useLiveUpdates } from './live-updates.ts';
import { SignInAgain, SignInPage } from './sign-in.tsx';
import { useStoredColors } from './stored-colors.ts';

const DESTINATIONS = [
  {
    heading: strings.work,
    items: [
      { to: '/', label: strings.home, icon: IconHome },
      { to: '/my-work', label: strings.myWork, icon: IconInbox },
      { to: '/projects', label: strings.projects, icon: IconClipboardList },
    ],
  },
  {
    heading: strings.library,
    items: [
      { to: '/library/tasks', label: strings.countermeasures, icon: IconShieldCheck },
      { to: '/library/problems', label: strings.weaknesses, icon: IconBug },
      { to: '/library/threats', label: strings.threats, icon: IconSkull },
    ],
  },
];

/** What only some users see. */
const insightFor = (session: Session) => ({
  heading: strings.insight,
  items: [
    { to: '/reports', label: strings.reports, icon: IconChartBar },
    ...(sectionsFor(session).length > 0
      ? [{ to: '/administration', label: strings.administration, icon: IconSettings }]
      : []),
  ],
});

async function leave(): Promise<void> {
  try {
    const provider = await signOut();
    sessionStorage.clear(); // texts that were not saved are of no concern to the next user
    // A session of an identity provider ends there, too.
    location.assign(provider?.redirect ?? basePath);
  } catch (error) {
    toast(messageOf(error), { isError: true });
  }
}

function SignedIn({ session }: { readonly session: Session }) {
  const address = useLocation({ select: ({ pathname }) => pathname });
  const [isSearching, setSearching] = useState(false);
  useDraftsOf(session.user.id);
  useStoredColors();
  useLiveUpdates();
  const isOnline = useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  );
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setSearching(true);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <Frame
      organization={session.organization.name}
      person={{ name: nameOf(session.user), email: session.user.email }}
      destinations={[...DESTINATIONS, insightFor(session)]}
      link={Link}
      address={address}
      documentation={`${basePath}docs/`}
      onSearch={() => setSearching(true)}
      onSignOut={() => void leave()}
    >
      {!isOnline && (
        <Alert color="yellow" variant="outline" radius={0} role="status">
          {strings.offline}
        </Alert>
      )}
      <Outlet />
      <CommandMenu isOpen={isSearching} onClose={() => setSearching(false)} />
      <SignInAgain session={session} />
      <ConfirmSession />
      <Toasts />
    </Frame>
  );
}

/** Every page: the sign-in, or the page within the frame. */
export function Shell() {
  const session = useQuery(sessionQuery);
  return (
    <Loaded query={session}>
      {(data) => (data.authenticated ? <SignedIn session={data as Session} /> : <SignInPage session={data} />)}
    </Loaded>
  );
}

/** Instead of a page that cannot be shown, for example because its code could not be loaded. */
export function Broken({ error }: { readonly error: unknown }) {
  return <Failure error={error instanceof Error ? error : new Error(String(error))} retry={() => location.reload()} />;
}
