/** The controls of the component library that pages use. A new major version of it changes this folder only. */
export {
  ActionIcon,
  Alert,
  Anchor,
  Badge,
  Button,
  Checkbox,
  Group,
  Kbd,
  Modal,
  PasswordInput,
  Progress,
  Radio,
  SegmentedControl,
  Select,
  Stack,
  Tabs,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
export { useDebouncedValue } from '@mantine/hooks';
