import {
  ActionIcon,
  AppShell,
  Avatar,
  Badge,
  Burger,
  Group,
  Kbd,
  Menu,
  NavLink,
  Text,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMoon, IconSearch, IconSun, IconSunMoon } from '@tabler/icons-react';
import { type ComponentType, type ReactNode, useEffect } from 'react';
import { strings } from '../strings.ts';
import { useColorScheme } from './theme.tsx';

const SCHEMES = [
  ['auto', IconSunMoon],
  ['light', IconSun],
  ['dark', IconMoon],
] as const;

function SchemeMenu() {
  const { colorScheme, setColorScheme } = useColorScheme();
  const [, Current] = SCHEMES.find(([name]) => name === colorScheme) ?? SCHEMES[0];
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={strings.colors}>
          <Current size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {SCHEMES.map(([name, Icon]) => (
          <Menu.Item key={name} leftSection={<Icon size={16} />} onClick={() => setColorScheme(name)}>
            {strings.schemes[name]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

interface Destination {
  readonly to: string;
  readonly label: string;
  readonly icon: ComponentType<{ size?: number }>;
}

export interface FrameProps {
  readonly organization: string;
  readonly person: { readonly name: string; readonly email: string };
  readonly destinations: readonly { readonly heading: string; readonly items: readonly Destination[] }[];
  /** A link of the router. */
  readonly link: ComponentType<{ to: string; className?: string; children?: ReactNode }>;
  /** Changes when another page opens. */
  readonly address: string;
  readonly documentation: string;
  readonly onSearch: () => void;
  readonly onSignOut: () => void;
  readonly children: ReactNode;
}

const initialsOf = (name: string): string =>
  name
    .split(/\s/)
    .map((word) => word.charAt(0))
    .join('')
    .slice(0, 2)
    .toUpperCase();

/** What surrounds every page: the header and the navigation, which a button opens on small screens. */
export function Frame(props: FrameProps) {
  const { organization, person, destinations, link: LinkTo, address, documentation, onSearch, onSignOut } = props;
  const [isOpen, { toggle, close }] = useDisclosure(false);
  useEffect(close, [address, close]);
  return (
    <AppShell
      header={{ height: 50 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      transitionDuration={0}
    >
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={strings.navigation} />
            <span className="mark" aria-hidden="true" />
            <Text fw={700} size="lg" component="span">
              Merlon
            </Text>
            <Badge
              color="gray"
              variant="light"
              c="var(--mantine-color-text)"
              radius="sm"
              tt="none"
              maw={200}
              visibleFrom="xs"
            >
              {organization}
            </Badge>
          </Group>
          <UnstyledButton className="search-button" onClick={onSearch} aria-keyshortcuts="Control+K">
            <IconSearch size={16} />
            <span className="search-label">{strings.searchEverything}</span>
            <Kbd visibleFrom="sm">Ctrl K</Kbd>
          </UnstyledButton>
          <Group gap="xs" wrap="nowrap">
            <SchemeMenu />
            <Menu position="bottom-end">
              <Menu.Target>
                <UnstyledButton title={person.name}>
                  <VisuallyHidden>{strings.account(person.name)}</VisuallyHidden>
                  <Avatar color="indigo" radius="xl" size={32} aria-hidden>
                    {initialsOf(person.name)}
                  </Avatar>
                </UnstyledButton>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Label c="dimmed">{person.email}</Menu.Label>
                <Menu.Item renderRoot={(rest) => <LinkTo {...rest} to="/account" />}>{strings.myAccount}</Menu.Item>
                <Menu.Item component="a" href={documentation}>
                  {strings.documentation}
                </Menu.Item>
                <Menu.Item onClick={onSignOut}>{strings.signOut}</Menu.Item>
              </Menu.Dropdown>
            </Menu>
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={strings.navigation}>
        {destinations.map(({ heading, items }) => (
          <div key={heading}>
            <Text c="dimmed" size="sm" fw={600} px="sm" pt="sm" pb={4}>
              {heading}
            </Text>
            {items.map(({ to, label, icon: Icon }) => (
              <NavLink
                key={to}
                className="nav-link"
                label={label}
                leftSection={<Icon size={18} />}
                renderRoot={(rest) => <LinkTo {...rest} to={to} />}
              />
            ))}
          </div>
        ))}
      </AppShell.Navbar>
      <AppShell.Main>{props.children}</AppShell.Main>
    </AppShell>
  );
}
