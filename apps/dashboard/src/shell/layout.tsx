import {
  Anchor,
  AppShell,
  Badge,
  Burger,
  Button,
  Group,
  Menu,
  NavLink,
  Text,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, type ReactElement } from 'react';
import { useLive, type Liveness } from '../live/use-live.js';
import { useMay, useSession } from '../session/session.js';
import { Teller } from '../ui/tell.js';
import { Find } from './find.js';
import { pagesOf } from './pages.js';

const livenessWords: Readonly<Record<Liveness, readonly [words: string, colour: string, more: string]>> = {
  live: ['live', 'green', 'Connected to the event stream.'],
  connecting: ['connecting', 'gray', 'Connecting to the event stream.'],
  lost: ['not live', 'red', 'The event stream is interrupted. The page polls and reconnects by itself.'],
  hidden: ['paused', 'gray', 'Updates are paused while the tab is hidden.'],
};

/** What all pages stand in: navigation, search, who is signed in. */
export function Layout(): ReactElement {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const { pathname } = useLocation();
  const may = useMay();
  const liveness = useLive();
  useEffect(() => close(), [pathname, close]);
  const [words, color, more] = livenessWords[liveness];
  return (
    <Teller>
      <Anchor href="#main" className="skip">
        Skip to the content
      </Anchor>
      <AppShell
        header={{ height: 52 }}
        navbar={{ width: 200, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
        padding="md"
      >
        <AppShell.Header>
          <Group h="100%" px="md" gap="sm" wrap="nowrap">
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Pages" />
            <Text fw={700} component={Link} to="/" c="inherit" td="none" visibleFrom="xs">
              Muster
            </Text>
            <Find />
            <Badge
              variant="light"
              color={color}
              title={more}
              role="status"
              ml="auto"
              style={{ flexShrink: 0 }}
            >
              {words}
            </Badge>
            <Account />
          </Group>
        </AppShell.Header>
        <AppShell.Navbar p="xs" aria-label="Pages" component="nav">
          {pagesOf(may).map(({ to, label }) => (
            <NavLink
              key={to}
              component={Link}
              to={to}
              label={label}
              active={to === '/' ? pathname === '/' : pathname === to || pathname.startsWith(`${to}/`)}
            />
          ))}
        </AppShell.Navbar>
        <AppShell.Main id="main">
          <Outlet />
        </AppShell.Main>
      </AppShell>
    </Teller>
  );
}

function Account(): ReactElement {
  const { who, signOut } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <Button variant="default" size="xs" style={{ flexShrink: 0 }}>
          {who.name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Role: {who.role}</Menu.Label>
        {(['light', 'dark', 'auto'] as const).map((scheme) => (
          <Menu.Item
            key={scheme}
            onClick={() => setColorScheme(scheme)}
            aria-current={colorScheme === scheme}
          >
            {colorScheme === scheme ? '• ' : ''}
            {{ light: 'Light', dark: 'Dark', auto: 'System' }[scheme]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component="a" href="/docs">
          API reference
        </Menu.Item>
        <Menu.Item onClick={() => signOut()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
