import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { customizedPartsQuery, moveRequirement, type PartKind, partsFile } from '../../api/library-editing.ts';
import { Group, Stack } from '../../components/controls.ts';
import { DownloadCsv } from '../../components/download-csv.tsx';
import { MoveButtons, type Step } from '../../components/move-buttons.tsx';
import { Parts } from '../../components/parts.tsx';
import { toast } from '../../components/toasts.tsx';
import { libraryStrings as texts } from '../../library-strings.ts';
import { strings } from '../../strings.ts';
import { useChange } from '../use-change.ts';

interface PartListProps {
  readonly task: string;
  readonly kind: PartKind;
  readonly parts: Parameters<typeof Parts>[0]['parts'];
  readonly none: string;
  readonly mayEdit: boolean;
}

/** The additional requirements or how-tos of a countermeasure of the library, with their other pages. */
export function PartList({ task, kind, parts, none, mayEdit }: PartListProps) {
  const customized = useQuery(customizedPartsQuery(task, kind)).data;
  const moving = useChange(
    ({ id, step }: { readonly id: string; readonly step: Step }) => moveRequirement(task, id, step),
    ['library'],
  );
  const move = (id: string, title: string, step: Step): void => {
    const place = parts.findIndex((part) => part.id === id) + step + 1;
    if (!moving.isPending)
      moving.mutate({ id, step }, { onSuccess: () => toast(texts.moved(title, place, parts.length)) });
  };
  const actions = ({ id, title }: { readonly id: string; readonly title: string }) => (
    <Group gap="xs" justify="flex-end" fz="sm">
      {customized?.has(id) && (
        <Link
          to="/library/tasks/$id/original/$kind/$part"
          params={{ id: task, kind, part: id }}
          className="text-link"
          aria-label={texts.compareItem(title)}
        >
          {texts.compare}
        </Link>
      )}
      {mayEdit && kind === 'amendments' && parts.length > 1 && (
        <MoveButtons
          title={title}
          place={parts.findIndex((part) => part.id === id)}
          count={parts.length}
          onMove={(step) => move(id, title, step)}
        />
      )}
      {mayEdit && (
        <Link
          to="/library/tasks/$id/edit/$kind/$part"
          params={{ id: task, kind, part: id }}
          search={(before) => before}
          className="text-link"
          aria-label={texts.editItem(title)}
        >
          {strings.edit}
        </Link>
      )}
    </Group>
  );
  const name = kind === 'how-tos' ? strings.howTos : strings.additional;
  return (
    <Stack>
      {parts.length > 0 && (
        <Group justify="flex-end">
          <DownloadCsv list={partsFile(task, kind)} name={name} />
        </Group>
      )}
      <Parts parts={parts} none={none} actions={actions} />
      {mayEdit && (
        <Group fz="sm">
          <Link
            to="/library/tasks/$id/new/$kind"
            params={{ id: task, kind }}
            search={(before) => before}
            className="text-link"
          >
            {texts.newPart[kind]}
          </Link>
        </Group>
      )}
    </Stack>
  );
}
