import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { strings } from '../strings.ts';
import { saveFile } from './save-file.ts';
import { messageOf } from './states.tsx';
import { toast } from './toasts.tsx';

/** A list that can be saved as a file. */
export interface ListFile {
  readonly readFile: () => Promise<Blob>;
}

/** Saves a list with its filters and its order: all rows, also those that the page has not loaded. */
export function DownloadCsv({ list, name }: { readonly list: ListFile; readonly name: string }) {
  const saving = useMutation({
    mutationFn: list.readFile,
    onSuccess: (file) => saveFile(file, `${name}.csv`),
    onError: (error) => toast(messageOf(error), { isError: true }),
  });
  return (
    <Button
      variant="default"
      size="xs"
      aria-label={strings.downloadCsvOf(name)}
      loading={saving.isPending}
      onClick={() => saving.mutate()}
    >
      {strings.downloadCsv}
    </Button>
  );
}
